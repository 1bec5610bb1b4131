import type { Schemas } from '../../api/client'
import { formatState } from '../../parts/badge'
import type { Stage } from '../../parts/pipeline'
import { formatDuration } from '../../parts/time'
import { translate } from '../../texts/translate'

export type Step = Schemas['BuildStep']

const states: Record<Step['status'], Stage['state']> = {
  pending: 'next', running: 'running', succeeded: 'done', failed: 'failed', skipped: 'next', cancelled: 'failed'
}

export const nameOf = (step: string): string => {
  const name = formatState(step)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** @returns how many seconds a step took; undefined while it has not ended */
export const secondsOf = ({ started_at: start, finished_at: end }: Step): number | undefined =>
  start === null || end === null ? undefined : (Date.parse(end) - Date.parse(start)) / 1_000

const noteOf = (step: Step): string | undefined => {
  if (step.error !== null) return translate('logs', step.error)
  const seconds = secondsOf(step)
  return seconds === undefined || step.status === 'skipped' ? undefined : formatDuration(seconds)
}

/** @returns the steps of a build in their order, with how long each took or why it failed */
export const stagesOf = ({ steps }: Pick<Schemas['Build'], 'steps'>): Stage[] => steps.map((step) =>
  ({ name: nameOf(step.name), state: states[step.status], note: noteOf(step) }))
