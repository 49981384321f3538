# The data of the worked examples; run R from the repository's root.
cats <- read.csv("examples/cookie-cats/cookie_cats.csv")
cats$retention_1 <- as.logical(cats$retention_1)
cats$retention_7 <- as.logical(cats$retention_7)
cats <- cats[order(cats$userid), ]
gate_30 <- cats[cats$version == "gate_30", ] # control
gate_40 <- cats[cats$version == "gate_40", ] # treatment

# Tenths of the players in the order of their ids: the file has no dates.
cats$tenth <- ceiling(10 * seq_len(nrow(cats)) / nrow(cats))

# Prints a name and its numbers a line.
answer <- function(...) {
  values <- list(...)
  for (name in names(values)) {
    cat(sprintf("%-32s %s\n", name, paste(sprintf("%.10g", values[[name]]), collapse = " ")))
  }
}
