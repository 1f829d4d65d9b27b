"""The scoreboard: fixed splits of free corpora, our systems on them, anybody's outputs beside.

``tasks.toml`` has the tasks as data, the other files are specifications of what no paper's table
has. A system's numbers are those of a record, which has kept what each sentence adds to a score;
so anybody's output is compared with it by the test that claims are judged by.
"""
