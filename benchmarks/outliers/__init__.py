"""Visual outliers: what looks wrong in what was extracted.

sites                            the rendered pages of whole sites
truth, methods, deletion         what is content in them, all ways to score texts, and what deleting the oddest gives
papers                           the paper's tables beside ours
speed                            k-NN and HBOS beside PyOD's
sources, injecting, baselines    values of real pages, foreign ones put among them, and the paper's scores for them
scoring, records                 how many of the foreign ones are found, and how many others are taken for such
"""
