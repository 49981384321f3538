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

# The skewness-corrected score of a difference theta of two rates, and its variance: Farrington and Manning (1990), Gart
# and Nam (1990). cc = 1 corrects for continuity.
score <- function(x_t, n_t, x_c, n_c, theta, cc) {
  n <- n_t + n_c
  roots <- polyroot(c(x_c * theta * (1 - theta), (n_c * theta - n - 2 * x_c) * theta + x_t + x_c,
                      (n_t + 2 * n_c) * theta - n - x_t - x_c, n))
  possible <- Re(roots)[Re(roots) > max(0, -theta) - 1e-9 & Re(roots) < min(1, 1 - theta) + 1e-9]
  p_c <- possible[which.min(abs(possible - (x_t + x_c) / n + theta * n_t / n))]
  p_t <- p_c + theta
  s <- x_t / n_t - x_c / n_c - theta
  s <- sign(s) * max(0, abs(s) - cc * (1 / n_t + 1 / n_c) / 2)
  v <- (p_t * (1 - p_t) / n_t + p_c * (1 - p_c) / n_c) * n / (n - 1)
  a <- (p_t * (1 - p_t) * (1 - 2 * p_t) / n_t^2 - p_c * (1 - p_c) * (1 - 2 * p_c) / n_c^2) / (6 * v^1.5)
  u <- s / sqrt(v)
  c(z = 2 * (a + u) / (1 + sqrt(1 + 4 * a * (a + u))), v = v)
}

# The ends of the interval in which `distance` of the score is negative, around the difference d.
ends <- function(d, distance, reach = 0.1) {
  root <- function(side) uniroot(distance, sort(c(d, d + side * reach)), tol = 1e-15)$root
  c(root(-1), root(1))
}

# The larger p-value of Welch's and of the pooled t-test, its standard error, and the wider interval.
decide_means <- function(treatment, control) {
  tests <- list(t.test(treatment, control), t.test(treatment, control, var.equal = TRUE))
  test <- tests[[which.max(sapply(tests, function(test) test$p.value))]]
  wide <- tests[[which.max(sapply(tests, function(test) diff(test$conf.int)))]]
  list(estimate = test$estimate, stderr = test$stderr, p.value = test$p.value, conf.int = wide$conf.int)
}
