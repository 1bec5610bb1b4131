import type { RiskReason } from '../../schemas/agent/requirements.js'
import type { Risk } from './options.js'

const order: readonly Risk[] = ['low', 'medium', 'high']

/** @returns the highest of the risks */
export const riskiest = (risks: readonly Risk[]): Risk =>
  order[Math.max(0, ...risks.map((risk) => order.indexOf(risk)))] ?? 'high'

/** How much each reason weighs, and how a model reads it. */
const reasons: Readonly<Record<RiskReason, readonly [Risk, string]>> = {
  own_records: ['low', 'It changes only what Steward keeps, and nothing outside'],
  only_adds: ['low', 'It only adds: what is there stays as it is'],
  raises_budget: ['low', 'More may be spent on the model'],
  archives: ['medium', 'It is put out of use; what it says is kept'],
  changes_capacity: ['medium', 'More tasks cost more; fewer carry less load'],
  stops_unfinished: ['medium', 'What has not ended yet will not have its result'],
  effect_unknown: ['medium', 'Another server does it: Steward cannot see beforehand what happens'],
  allows_publishing: ['medium', 'What is approved may be published'],
  spends_on_model: ['medium', 'The calls of the model cost money'],
  changes_settings: ['medium', 'What comes later follows other settings'],
  deploys_by_itself: ['medium', 'Each push deploys from then on, and nobody is asked'],
  changes_standing: ['medium', 'Others rely on the state that it gets'],
  readers_see: ['medium', 'Everyone who reads the repository sees it, and is notified'],
  anyone_sees: ['high', 'The repository is public: anyone can read it, and its followers are notified'],
  replaces_running: ['high', 'It replaces what runs now; what does not start may interrupt it'],
  runs_code: ['high', 'Steward cannot see beforehand what the code does that it runs'],
  stops_service: ['high', 'No task runs any more: the service stops answering'],
  changes_autoscaling: ['high', 'It changes what autoscaling may do from now on'],
  interrupts_deployment: ['high', 'A deployment that has begun may have to be rolled back'],
  publishes: ['high', 'People outside read it, and what was read cannot be called back'],
  unpublishes: ['high', 'Links to it lead nowhere afterwards'],
  sends_twice: ['high', 'A target that took it without an answer may get it twice'],
  deletes: ['high', 'It is gone for everybody; for 30 days it can be brought back'],
  withdraws_standard: ['high', 'Specs are not checked against it any more'],
  changes_approval: ['high', 'It changes what content needs before it is published'],
  changes_targets: ['high', 'It changes where content is published']
}

/** @returns the risk for these reasons: that of the weightiest */
export const riskFor = (given: readonly RiskReason[]): Risk => riskiest(given.map((reason) => reasons[reason][0]))

/** @returns the reasons in sentences, as models read them */
export const describeReasons = (given: readonly RiskReason[]): string[] => given.map((reason) => reasons[reason][1])
