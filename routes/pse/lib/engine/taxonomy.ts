import type { SpecSettings } from '../../../../schemas/pse/document.js'

type Profile = SpecSettings['profile']

interface Category {
  key: string
  profiles: readonly Profile[]
  evidence: RegExp
  question: string
  why: string
  options: readonly string[]
}

const every: readonly Profile[] = ['kernel', 'standard', 'full']
const most: readonly Profile[] = ['standard', 'full']
const full: readonly Profile[] = ['full']

/** Topics that specs often omit, with the words that show that a spec covers them. */
export const taxonomy: readonly Category[] = [
  {
    key: 'scope',
    profiles: every,
    evidence: /\b(?:out of scope|not in scope|non-goals?|excluded|will not (?:include|cover))\b/i,
    question: 'What is out of scope?',
    why: 'Without a limit, everything that is near the subject may be expected',
    options: []
  },
  {
    key: 'roles',
    profiles: every,
    evidence: /\b(?:users?|admin\w*|operators?|customers?|roles?|staff|visitors?|members?)\b/i,
    question: 'Who uses it, and what may each of them do?',
    why: 'Rights and screens follow from roles',
    options: []
  },
  {
    key: 'errors',
    profiles: every,
    evidence: /\b(?:errors?|fail(?:s|ed|ure|ing)?|invalid|unavailable|time-?outs?|retr(?:y|ies)|refuses?|rejects?)\b/i,
    question: 'What happens when a step fails or its input is not valid?',
    why: 'Most of what users complain of lies outside the good path',
    options: ['Show an error and change nothing', 'Try again, then tell somebody']
  },
  {
    key: 'security',
    profiles: every,
    evidence: /\b(?:secur\w+|encrypt\w*|authenticat\w+|authori[sz]\w+|permissions?|sign[- ]?in|log[- ]?in|password\w*)\b/i,
    question: 'Who must sign in, and what must be protected from whom?',
    why: 'Protection that is added later costs more and leaves gaps',
    options: []
  },
  {
    key: 'data',
    profiles: most,
    evidence: /\b(?:data|records?|stor(?:e|es|ed|age)|database|fields?)\b/i,
    question: 'What data is kept, and where does it come from?',
    why: 'Interfaces, rights and retention follow from the data',
    options: []
  },
  {
    key: 'performance',
    profiles: most,
    evidence: /\b(?:within \d|seconds?|milliseconds?|ms|latency|response times?|throughput|performance|fast)\b/i,
    question: 'How fast must it answer, under what load?',
    why: 'Without a number, no test can fail',
    options: ['95 % of answers within 1 second', '95 % of answers within 3 seconds']
  },
  {
    key: 'limits',
    profiles: most,
    evidence: /\b(?:at most|maximum|max\.?|up to|no more than|limits?|quotas?|concurrent)\b/i,
    question: 'What are the limits: how many, how large, how often?',
    why: 'A system without limits has those that nobody chose',
    options: []
  },
  {
    key: 'retention',
    profiles: most,
    evidence: /\b(?:retention|retain\w*|for \d+ (?:days|weeks|months|years)|delet\w+|erase\w*|archiv\w+|expire\w*|gdpr)\b/i,
    question: 'How long is data kept, and who may have it deleted?',
    why: 'Law and storage both ask for it',
    options: []
  },
  {
    key: 'accessibility',
    profiles: most,
    evidence: /\b(?:accessib\w+|wcag|screen readers?|keyboard|contrast)\b/i,
    question: 'Which accessibility standard must it meet?',
    why: 'It decides on the choice of components, so it cannot be added at the end',
    options: ['WCAG 2.2 level AA', 'None: no person uses it directly']
  },
  {
    key: 'availability',
    profiles: full,
    evidence: /\b(?:availab\w+|uptime|downtime|outages?|24\/7|recover\w*|backups?)\b/i,
    question: 'How available must it be, and how fast must it be back after a failure?',
    why: 'The cost of running it depends on this number more than on any other',
    options: []
  },
  {
    key: 'observability',
    profiles: full,
    evidence: /\b(?:logs?|logging|monitor\w*|metrics?|alerts?|audit\w*)\b/i,
    question: 'Who notices when it does not work, and how?',
    why: 'What is not observed is reported by customers',
    options: []
  }
]
