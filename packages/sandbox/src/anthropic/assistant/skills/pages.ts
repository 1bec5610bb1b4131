import type { Skill, Steps } from './skill.js'

/** What is done on a page and by no tool of a model: who may do what, and what waits, is for people alone. */
const known: [RegExp, string][] = [
  [/\b(inbox|approvals?|pending|waits?|waiting)\b/i,
    'What waits for a decision is in the [inbox](/inbox); only people see and decide it.'],
  [/\b(invite|who (is|are) in|admins?|administrators?|owners?|members?|people|colleagues?|teammates?)\b/i,
    'People are invited, and get their roles, under [Settings → People](/settings/members).'],
  [/\bwho (can|may) (approve|decide|deploy)\b|\b(roles?|rights|permissions?)\b/i,
    'Each person\'s roles are under [Settings → People](/settings/members), and what needs several people under ' +
      '[Settings → Policies](/settings/policies).'],
  [/\b(connect|add|link)\b.*\b(aws|cloud|account)\b/i, 'A cloud account is connected under [Cloud accounts](/accounts).'],
  [/\b(connect|add|link)\b.*\b(git\w*|code ?host)\b/i,
    'A code host is connected under [Settings → Connections](/settings/connections).'],
  [/\b(webhooks?|schedules?|scheduled|triggers?|every (day|weekday|morning|hour))\b/i,
    'Schedules and webhooks that start a report are under [Triggers](/triggers).'],
  [/\bwho (changed|did|deployed|scaled|deleted|approved)\b|\bwho has \S+ (changed|deployed|scaled|deleted|approved)|\b(audit|record|history) of\b|\bwhat happened\b|\bsummari[sz]e (my|the|our) (day|week|night)\b/i,
    'Who changed what, who approved it and what came of it is in the [record](/settings/record).'],
  [/\b(passwords?|passkeys?|sign[- ]?ins?)\b/i,
    'There are no passwords here: a passkey signs you in, under [Settings → Passkeys](/settings/passkeys).'],
  [/\b(api )?(tokens?|api keys?)\b/i, 'Tokens for programs are made under [Settings → Tokens](/settings/tokens).'],
  [/\b(dark|light) (mode|theme)\b/i, 'The button at the foot of the menu switches between light, dark and the theme of your system.'],
  [/\b(delete|remove|archive)\b.*\bproject\b/i, 'A project is archived on its page, under [Projects](/projects).'],
  [/\bbudgets?\b/i, 'Budgets are under [Settings → Workspaces](/settings/workspaces); what was spent is under [Costs](/costs).']
]

function * point (words: string): Steps { return words }

const isRequest = /^\W*(what|who|which|where|is|are|any|show|list|how|when|invite|connect|delete|remove|archive|add|link|set up|create|open|make|change|reset|switch|turn|use|summari[sz]e)\b/i
const elsewhere = /\b(service|function|spec|content|brief|standard|build|app|repo\w*|pull|cluster|commit\w*)s?\b|[=~{]|\band\b/i

/** "Who can approve?", "Connect GitHub": which page is for it. */
export const pages: Skill = (message) => {
  const words = known.find(([form]) => form.test(message))?.[1]
  return words !== undefined && isRequest.test(message) && !elsewhere.test(message) ? point(words) : undefined
}
