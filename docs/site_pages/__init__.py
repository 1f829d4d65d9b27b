"""Pages of the site that are generated, so that they cannot drift from the code.

Each file here has a function ``pages``: what the package says of itself, as Markdown. ``hook``
hands them to MkDocs; nothing of them is kept.
"""
