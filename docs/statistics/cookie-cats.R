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

# The larger p-value of Welch's and of the pooled t-test, its standard error, and the wider interval; in the direction of
# the skewness, Hall's transformation of Welch's t.
decide_means <- function(treatment, control, s = difference_skewness(treatment, control)) {
  tests <- list(t.test(treatment, control), t.test(treatment, control, var.equal = TRUE))
  test <- tests[[which.max(sapply(tests, function(test) test$p.value))]]
  wide <- tests[[which.max(sapply(tests, function(test) diff(test$conf.int)))]]
  welch <- tests[[1]]
  if (s * welch$statistic > 0) {
    test <- welch
    test$p.value <- 2 * pt(-abs(transformed(welch$statistic, s)), welch$parameter)
  }
  interval <- wide$conf.int
  if (s != 0) {
    t <- sign(s) * untransformed(qt(0.975, welch$parameter), s)
    interval[if (s > 0) 1 else 2] <- -diff(welch$estimate) - t * welch$stderr
  }
  list(estimate = test$estimate, stderr = test$stderr, p.value = test$p.value, conf.int = interval)
}

# The skewness of a difference of means by each arm's values or by all values: the one closer to 0; 0 if the signs differ.
difference_skewness <- function(treatment, control) {
  power <- function(x, k) mean((x - mean(x))^k)
  n <- c(length(treatment), length(control))
  both <- c(treatment, control)
  s <- c((power(treatment, 3) / n[1]^2 - power(control, 3) / n[2]^2) /
           (power(treatment, 2) / n[1] + power(control, 2) / n[2])^1.5,
         power(both, 3) * (1 / n[1]^2 - 1 / n[2]^2) / (power(both, 2) * sum(1 / n))^1.5)
  if (prod(s) > 0) sign(s[1]) * min(abs(s)) else 0
}

# Hall's transformation of t for a skewness s, and the t that it takes to the critical value.
transformed <- function(t, s) expm1(2 / 3 * s * t) / (2 / 3 * s) + s / 6
untransformed <- function(critical, s)
  uniroot(function(t) transformed(t, abs(s)) - critical, c(0, critical), tol = 1e-15)$root

# One arm of a regression adjustment: its mean and slopes, by a regression on x, at the mean X.
adjust_arm <- function(y, x, X) {
  fit <- lm.fit(cbind(1, sweep(x, 2, X)), y)
  n <- length(y)
  inverse <- chol2inv(qr.R(fit$qr))
  list(mean = fit$coefficients[[1]], slopes = fit$coefficients[-1], n = n, s = cov(x),
       error = sum(fit$residuals^2) / fit$df.residual * inverse[1, 1])
}

# Prints two arms adjusted with slopes per arm, decided by the larger p-value of Welch's and of the pooled t-test.
answer_adjusted <- function(y, x, treated) {
  X <- colMeans(x)
  arms <- lapply(list(!treated, treated), function(own) adjust_arm(y[own], x[own, ], X))
  d <- arms[[2]]$slopes - arms[[1]]$slopes
  squared <- sapply(arms, function(arm) arm$error + arm$n / length(y)^2 * drop(d %*% arm$s %*% d))
  n <- sapply(arms, function(arm) arm$n) - ncol(x)
  difference <- arms[[2]]$mean - arms[[1]]$mean
  pooled <- sum((n - 1) * squared * n) / (sum(n) - 2) * sum(1 / n)
  tests <- data.frame(stderr = sqrt(c(sum(squared), pooled)),
                      df = c(sum(squared)^2 / sum(squared^2 / (n - 1)), sum(n) - 2))
  tests$p <- 2 * pt(-abs(difference / tests$stderr), tests$df)
  tests$half <- qt(0.975, tests$df) * tests$stderr
  test <- tests[which.max(tests$p), ]
  plain <- decide_means(y[treated], y[!treated])
  answer(difference = difference, standard_error = test$stderr, p_value = test$p,
         confidence_interval = difference + c(-1, 1) * max(tests$half),
         adjustment.adjusted_control_mean = arms[[1]]$mean, adjustment.adjusted_treatment_mean = arms[[2]]$mean,
         adjustment.unadjusted_difference = plain$estimate[[1]] - plain$estimate[[2]],
         adjustment.unadjusted_standard_error = plain$stderr,
         adjustment.variance_reduction_pct = 100 * (1 - (test$stderr / plain$stderr)^2))
}
