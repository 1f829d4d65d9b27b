"""Penn trees become CCG derivations, as CCGbank was made of them: one step a file."""
