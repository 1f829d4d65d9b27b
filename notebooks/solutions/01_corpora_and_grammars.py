# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Corpora and grammars
#
# Not before you have tried: [the exercises](../01_corpora_and_grammars.ipynb).

# %%
from wordorder_lab.check import check

# %% [markdown]
# **01.1**
#
# *The owner 's plans* has an NP inside, so it is no base NP; in Penn's tree that NP is *The owner
# 's*. In CCG *The owner 's* does what *the* does: it needs a noun and is no NP by itself
# (`NP[nb]/N`). Its NP is *The owner*. The rest is the same. *plans* is an NP in neither.

# %%
of_penn = ["The owner 's", "the old harbour", "its boats", "us", "this year"]
of_ccg = ["The owner", "the old harbour", "its boats", "us", "this year"]
check("01.1", (of_penn, of_ccg))

# %% [markdown]
# **01.2**
#
# In the fourth pair the adverb wants a whole verb phrase, and the verb has no object yet. Crossed
# composition joins them all the same, and the result still asks for the object: *bought quickly*
# ... *the shares*.

# %%
names_of_rules = ["fa", "ba", "fc", "bx", "conj", "conj", "rp"]
check("01.2", names_of_rules)

# %% [markdown]
# **01.3**
#
# A word is no step. Everything else is one, and its children hold the rest.


# %%
def steps(node):
    if not node.children:
        return []
    here = tuple(str(child.category) for child in node.children), str(node.category)
    return [here] + [step for child in node.children for step in steps(child)]


check("01.3", steps)

# %% [markdown]
# **01.4**
#
# *gave* needs two objects, then a subject. *never* must not fix the feature: with
# `(S[dcl]\NP)/(S[dcl]\NP)` the second sentence comes out, the third does not.

# %%
categories = {"gave": r"((S[dcl]\NP)/NP)/NP", "never": r"(S\NP)/(S\NP)"}
check("01.4", categories)
