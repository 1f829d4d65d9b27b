"""Cohn & Lapata (2009), tree transduction: ``chart`` searches, ``structured_svm`` learns."""
