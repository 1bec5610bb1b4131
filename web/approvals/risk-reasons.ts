import type { Schemas } from '../api/client'
import { say, type Key } from '../texts/say'

type Reason = NonNullable<Schemas['ConfirmationPlan']['risk_reasons']>[number]

const texts: Readonly<Record<Reason, Key>> = {
  own_records: 'risk.own_records',
  only_adds: 'risk.only_adds',
  raises_budget: 'risk.raises_budget',
  archives: 'risk.archives',
  changes_capacity: 'risk.changes_capacity',
  stops_unfinished: 'risk.stops_unfinished',
  effect_unknown: 'risk.effect_unknown',
  allows_publishing: 'risk.allows_publishing',
  spends_on_model: 'risk.spends_on_model',
  changes_settings: 'risk.changes_settings',
  deploys_by_itself: 'risk.deploys_by_itself',
  changes_standing: 'risk.changes_standing',
  readers_see: 'risk.readers_see',
  anyone_sees: 'risk.anyone_sees',
  replaces_running: 'risk.replaces_running',
  runs_code: 'risk.runs_code',
  stops_service: 'risk.stops_service',
  changes_autoscaling: 'risk.changes_autoscaling',
  interrupts_deployment: 'risk.interrupts_deployment',
  publishes: 'risk.publishes',
  unpublishes: 'risk.unpublishes',
  sends_twice: 'risk.sends_twice',
  deletes: 'risk.deletes',
  withdraws_standard: 'risk.withdraws_standard',
  changes_approval: 'risk.changes_approval',
  changes_targets: 'risk.changes_targets'
}

/** A server that is newer than the page may give reasons that it does not know: the risk itself is shown beside. */
const isKnown = (reason: Reason): boolean => Object.hasOwn(texts, reason)

/** @returns the plan's reasons, in the language of the screen */
export const sayReasons = ({ risk_reasons: reasons = [] }: { risk_reasons?: readonly Reason[] | undefined }) =>
  reasons.filter(isKnown).map((reason) => say(texts[reason]))
