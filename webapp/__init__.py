import gc

# so many new values, until those among them that nobody needs are looked for: at the usual 700 a start takes longer
gc.set_threshold(5_000, *gc.get_threshold()[1:])
