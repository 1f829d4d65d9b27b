"""Penn trees become CCG derivations, as in CCGbank (Hockenmaier & Steedman 2007): one step a file."""
