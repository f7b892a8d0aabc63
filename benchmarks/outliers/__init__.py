"""Visual outliers: what looks wrong in what was extracted.

style_vectors                       vectors of real pages, or made ones where there is no browser
speed                               k-NN and HBOS beside PyOD's
sources, injecting, baselines       values of real pages, wrong ones put among them, and k-NN and HBOS over a column
scoring, records                    how many of the wrong ones are found, and how many right ones are taken for such
"""
