import { conversion, count, type DesignTemplate, defineTemplate, falling, mean } from "./template.ts";

const errors = falling(conversion("Errors", "error", "GUARDRAIL"));
const unsubscribes = falling(conversion("Unsubscribes", "unsubscribe", "GUARDRAIL"));
const latency = falling(mean("Page load time", "page_load", "GUARDRAIL"));
const refunds = falling(conversion("Refunds", "refund", "GUARDRAIL"));

/** The templates, most general last. */
export const TEMPLATES: readonly DesignTemplate[] = [
  defineTemplate("checkout", "commerce", "Checkout flow", {
    summary: "Fewer steps or fields on the way from the cart to the order.",
    keywords: "checkout cart basket payment pay purchase order shipping buy abandonment",
    hypothesis: "If checkout asks for less, more of those who begin it place their order.",
    baseline: 0.3,
    mde: 0.05,
    metrics: [
      conversion("Purchase", "purchase"),
      mean("Order value per user", "purchase"),
      conversion("Payment started", "payment_started", "SECONDARY"),
      errors,
      refunds,
    ],
  }),
  defineTemplate("signup-form", "acquisition", "Sign-up form", {
    summary: "A shorter or clearer form to open an account.",
    keywords: "signup sign-up register registration account form fields",
    hypothesis: "If the form asks for less, more visitors finish it, and as many stay active.",
    baseline: 0.1,
    mde: 0.1,
    metrics: [
      conversion("Signed up", "signup"),
      conversion("Active a week later", "week_one_active", "SECONDARY"),
      errors,
    ],
  }),
  defineTemplate("call-to-action", "interface", "Call to action", {
    summary: "Another text, colour or place for the button that matters.",
    keywords: "button cta call-to-action colour color click label banner",
    hypothesis: "If the button says what happens next, more users press it, and go on.",
    baseline: 0.05,
    mde: 0.1,
    metrics: [conversion("Clicked", "cta_click"), conversion("Purchase", "purchase", "SECONDARY"), errors],
  }),
  defineTemplate("headline", "content", "Headline", {
    summary: "Several headlines for the same page.",
    keywords: "headline title copy text wording message tagline hero",
    hypothesis: "If the headline names the benefit, more readers go on from the page.",
    baseline: 0.08,
    mde: 0.1,
    metrics: [conversion("Went on", "page_continue"), count("Pages viewed", "page_view"), errors],
  }),
  defineTemplate("pricing-page", "monetisation", "Pricing page", {
    summary: "Another presentation of plans and prices.",
    keywords: "pricing price prices plan plans tier tiers annual monthly discount",
    hypothesis: "If the plans are easier to compare, more visitors choose one, at no less revenue per visitor.",
    baseline: 0.04,
    mde: 0.1,
    metrics: [
      mean("Revenue per visitor", "purchase"),
      conversion("Plan chosen", "plan_selected"),
      conversion("Purchase", "purchase", "SECONDARY"),
      refunds,
    ],
  }),
  defineTemplate("free-trial", "monetisation", "Free trial", {
    summary: "The length or the terms of a trial.",
    keywords: "trial trials free subscription subscribe subscriber paywall upgrade paid",
    hypothesis: "If the trial is long enough to see the value, more of those who start it pay.",
    baseline: 0.15,
    mde: 0.1,
    metrics: [
      conversion("Paid", "subscription_started"),
      conversion("Trial started", "trial_started", "SECONDARY"),
      falling(conversion("Cancelled", "subscription_cancelled", "GUARDRAIL")),
    ],
  }),
  defineTemplate("onboarding", "activation", "Onboarding", {
    summary: "What new users see and do first.",
    keywords: "onboarding onboard tutorial welcome activation new-user tour walkthrough checklist setup",
    hypothesis: "If the first session leads to the first success, more new users come back.",
    baseline: 0.35,
    mde: 0.05,
    metrics: [
      conversion("Activated", "activated"),
      conversion("Back after seven days", "day_seven_return", "SECONDARY"),
      errors,
    ],
  }),
  defineTemplate("email-subject", "messaging", "E-mail subject", {
    summary: "Subjects, senders or times of an e-mail.",
    keywords: "email e-mail mail subject newsletter campaign inbox sender",
    hypothesis: "If the subject says what is inside, more readers open and click, and no more unsubscribe.",
    baseline: 0.2,
    mde: 0.05,
    metrics: [conversion("Clicked", "email_click"), conversion("Opened", "email_open", "SECONDARY"), unsubscribes],
  }),
  defineTemplate("push-notification", "messaging", "Push notification", {
    summary: "Whether, when and how to notify.",
    keywords: "push notification notifications notify reminder alert sms",
    hypothesis: "If users hear of what concerns them, more return, and no more switch notifications off.",
    baseline: 0.12,
    mde: 0.1,
    metrics: [
      conversion("Returned", "session_start"),
      count("Sessions", "session_start"),
      falling(conversion("Notifications switched off", "notifications_disabled", "GUARDRAIL")),
    ],
  }),
  defineTemplate("search-ranking", "discovery", "Search ranking", {
    summary: "Another order of search results.",
    keywords: "search ranking rank results query relevance sort filter autocomplete",
    hypothesis: "If what users look for stands higher, more searches end with a click, sooner.",
    baseline: 0.4,
    mde: 0.03,
    metrics: [conversion("Clicked a result", "search_click"), falling(count("Searches", "search")), latency],
  }),
  defineTemplate("recommendations", "discovery", "Recommendations", {
    summary: "Another model or place for recommended items.",
    keywords:
      "recommendation recommendations recommend recommended personalised personalized personalization related algorithm feed suggestions",
    hypothesis: "If recommendations fit better, more users take one up, and spend more in all.",
    baseline: 0.1,
    mde: 0.05,
    metrics: [conversion("Took one up", "recommendation_click"), mean("Revenue per user", "purchase"), latency],
  }),
  defineTemplate("performance", "engineering", "Faster pages", {
    summary: "A technical change that should be felt, not seen.",
    keywords: "performance latency speed faster slow load loading cache caching cdn backend database infrastructure",
    hypothesis: "If pages load faster, more visits go beyond the first page.",
    baseline: 0.45,
    mde: 0.02,
    metrics: [
      conversion("Went beyond the first page", "second_page_view"),
      falling(mean("Page load time", "page_load")),
      errors,
    ],
  }),
  defineTemplate("game-gate", "retention", "Progression gate", {
    summary: "Where a game or a course makes its users wait.",
    keywords: "game gate level retention retain streak lives player players churn",
    hypothesis: "If the first gate comes later, more players are still there after a week.",
    baseline: 0.19,
    mde: 0.05,
    metrics: [
      conversion("Back after seven days", "day_seven_return"),
      conversion("Back after one day", "day_one_return", "SECONDARY"),
      mean("Rounds played", "rounds"),
    ],
  }),
  defineTemplate("referral", "acquisition", "Referral", {
    summary: "The reward or the moment of an invitation.",
    keywords: "referral refer invite invitation friend friends share sharing reward",
    hypothesis: "If both sides gain, more users invite somebody who joins.",
    baseline: 0.03,
    mde: 0.2,
    metrics: [
      conversion("Invited somebody", "invite_sent"),
      conversion("Somebody joined", "invite_accepted", "SECONDARY"),
      errors,
    ],
  }),
  defineTemplate(
    "landing-page-split",
    "acquisition",
    "Landing pages by URL",
    {
      summary: "Visitors of one address are sent to one of several pages.",
      keywords: "landing redirect url page pages split-url split",
      hypothesis: "If the page answers what the advertisement promised, more visitors sign up.",
      baseline: 0.05,
      mde: 0.1,
      metrics: [conversion("Signed up", "signup"), count("Pages viewed", "page_view"), latency],
    },
    {
      experiment_type: "SPLIT_URL",
      variants: undefined,
      split_url_config: {
        variants: [
          { key: "control", name: "Control", url: "/", weight: 50 },
          { key: "treatment", name: "Treatment", url: "/new", weight: 50 },
        ],
      },
    },
  ),
  defineTemplate(
    "page-layout-multivariate",
    "interface",
    "Page layout, two factors",
    {
      summary: "Two parts of a page changed at once, every combination an arm.",
      keywords: "multivariate factorial combination combinations factors",
      hypothesis: "If image and layout are chosen together, more visitors go on; the parts may depend on each other.",
      baseline: 0.1,
      mde: 0.1,
      metrics: [conversion("Went on", "page_continue"), conversion("Purchase", "purchase", "SECONDARY"), errors],
    },
    {
      experiment_type: "MULTIVARIATE",
      variants: undefined,
      factors: [
        { name: "image", levels: ["current", "new"] },
        { name: "layout", levels: ["current", "new"] },
      ],
    },
  ),
  defineTemplate("feature-launch", "product", "Feature launch", {
    summary: "A new feature for half of the users, with everything watched that it could break.",
    keywords: "feature launch release new introduce add",
    hypothesis: "If the feature is there, more users do what it is for, and nothing else gets worse.",
    baseline: 0.2,
    mde: 0.05,
    metrics: [
      conversion("Did what it is for", "goal_reached"),
      conversion("Returned", "session_start", "SECONDARY"),
      errors,
      latency,
    ],
  }),
];

/** The template for descriptions that match no other. */
export const GENERAL = TEMPLATES.at(-1)!;
