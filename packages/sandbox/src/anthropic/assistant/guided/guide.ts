import type { Conversation } from '../conversation.js'
import { explainBuild } from './builds.js'
import { explainCosts, showCosts } from './costs.js'
import { askWhoseErrors, showErrors, showLog } from './errors.js'
import { fillForm, languages, matchForm, sayIn, type Language, type Say } from './forms.js'
import { explainHealth, showClusters, showHealth } from './health.js'
import { showOpenPulls, writeNotes, writeNotesOf } from './pulls.js'
import { askWhatToScale, scale, showDrift } from './scale.js'
import { askForText, createSpec } from './spec.js'
import type { Steps } from './steps.js'
import { followUps, starts } from './texts.js'

export type Start = keyof typeof starts
export type FollowUp = Start | keyof typeof followUps

/** What a conversation has at hand: its language, what a person chose, and the texts of buttons. */
export interface Guide {
  language: Language
  say: Say
  slots: Record<string, string>
  button: (form: FollowUp, values?: Record<string, string | number>) => string
}

const conversations: Record<FollowUp, (guide: Guide) => Steps> = {
  health: showHealth,
  costs: showCosts(0, 'SERVICE'),
  errors: askWhoseErrors,
  scale: askWhatToScale,
  drift: showDrift,
  build: explainBuild,
  spec: askForText,
  notes: writeNotes,
  clusters: showClusters,
  why: explainHealth,
  errorsOf: showErrors,
  logOf: showLog,
  scaleTo: scale,
  costsRose: explainCosts,
  lastMonth: showCosts(1, 'SERVICE'),
  byRegion: showCosts(0, 'REGION'),
  notesOf: writeNotesOf,
  openPulls: showOpenPulls
}

const forms = { ...starts, ...followUps }

const makeGuide = (language: Language, slots: Record<string, string> = {}): Guide => ({
  language,
  say: sayIn(language),
  slots,
  button: (form, values) => fillForm(forms[form][language], values)
})

interface Found { form: FollowUp, guide: Guide }

/** The first form that a message has; the forms with fewer places come first, so a start is never taken for another. */
const order = (Object.keys(forms) as FollowUp[]) // Its keys are those of the type.
  .toSorted((a, b) => forms[a].en.split('{').length - forms[b].en.split('{').length)

function findForm (message: string): Found | undefined {
  for (const form of order) {
    for (const language of languages) {
      const slots = matchForm(message, forms[form][language])
      if (slots) return { form, guide: makeGuide(language, slots) }
    }
  }
  return undefined
}

/** @returns the conversation that a message begins or continues; without steps where it is none of them */
export function findConversation ({ message, earlier }: Conversation): { guide: Guide, steps?: Steps } {
  const found = findForm(message)
  if (found) return { guide: found.guide, steps: conversations[found.form](found.guide) }
  const before = findForm(earlier.at(-1) ?? '')
  if (before?.form === 'spec') return { guide: before.guide, steps: createSpec(before.guide, message) }
  const spoken = earlier.toReversed().map(findForm).find(Boolean)
  return { guide: makeGuide(spoken?.guide.language ?? 'en') }
}

/** The buttons of a new conversation. */
export const listStarts = (guide: Guide): string[] => (Object.keys(starts) as Start[]).map((form) => guide.button(form)) // As above.
