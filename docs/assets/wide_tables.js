// A table that is wider than the page scrolls in a box of the theme's; keys reach it, too.
document$.subscribe(() =>
  setTimeout(() => {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset .scroll"))
      box.tabIndex = 0;
  })
);
