"""Which lexical categories the words of a sentence have: a log-linear supertagger.

Clark & Curran (2007), Wide-Coverage Efficient Statistical Parsing with CCG and Log-Linear Models,
section on the supertagger. It reads a sentence in its true order.
"""
