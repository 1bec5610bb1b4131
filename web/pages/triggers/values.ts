import type { Schemas } from '../../api/client'
import type { Kind, Source } from './words'
import { type Key } from '../../texts/say'

/** What the form of a trigger holds; a text that is empty is left out of the request. */
export interface Values {
  name: string
  question: string
  cron: string
  time_zone: string
  source: Source
  secret: string
  topic_arn: string
  app_id: string
  min_impact_usd: number
  budget_usd: number
  runs_a_day: number
}

export type Field = keyof Values

export const labels: Record<Field, Key> = {
  name: 'common.name',
  question: 'trigger.question',
  cron: 'trigger.cron',
  time_zone: 'trigger.zone',
  source: 'trigger.sentBy',
  secret: 'trigger.pagerSecret',
  topic_arn: 'trigger.topicArn',
  app_id: 'trigger.app',
  min_impact_usd: 'trigger.minImpact',
  budget_usd: 'trigger.budget',
  runs_a_day: 'trigger.runsADay'
}

const always = ['name', 'question', 'budget_usd', 'runs_a_day'] as const

const fieldsOfKind: Record<Kind, readonly Field[]> = {
  schedule: ['cron', 'time_zone'],
  webhook: ['source'],
  build_failed: ['app_id'],
  cost_anomaly: ['cron', 'time_zone', 'min_impact_usd']
}

const fieldsOfSource: Record<Source, readonly Field[]> = {
  sns: ['topic_arn'], pagerduty: ['secret'], alertmanager: [], grafana: [], generic: []
}

/** @returns the fields that a trigger of this kind and source has */
export const fieldsOf = (kind: Kind, source: Source): Field[] =>
  [...always, ...fieldsOfKind[kind], ...kind === 'webhook' ? fieldsOfSource[source] : []]

/** @returns where the server's errors name these fields */
export const pointersOf = (fields: readonly Field[]): string[] => fields.map((field) => `/${field}`)

/** The defaults of the API, and the zone of this browser. */
export const newValues = (): Values => ({
  name: '',
  question: '',
  cron: '',
  time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  source: 'alertmanager',
  secret: '',
  topic_arn: '',
  app_id: '',
  min_impact_usd: 0,
  budget_usd: 0.5,
  runs_a_day: 20
})

export const valuesOf = (trigger: Schemas['Trigger']): Values => ({
  ...newValues(),
  ...Object.fromEntries(Object.entries(trigger).filter(([key, value]) => key in newValues() && value !== null))
})

/** @returns what is filled in of these fields */
export const givenOf = (values: Values, fields: readonly Field[]): Partial<Values> => {
  const given = fields.filter((field) => values[field] !== '' &&
    // A zone alone says nothing, and 0 leaves nothing out.
    !(field === 'time_zone' && values.cron === '') && !(field === 'min_impact_usd' && values.min_impact_usd === 0))
  return Object.fromEntries(given.map((field) => {
    const value = values[field]
    return [field, typeof value === 'string' ? value.trim() : value]
  }))
}

/** @returns the fields that were changed, with their new values; source and app never change */
export const changesOf = (before: Values, after: Values, fields: readonly Field[]):
Partial<Omit<Values, 'source' | 'app_id'>> =>
  Object.fromEntries(fields.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]]))
