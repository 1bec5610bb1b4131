import type { ComponentChildren } from 'preact'
import { Details } from '../../approvals/details'
import { RiskBadge } from '../../approvals/risk-badge'
import { sayReasons } from '../../approvals/risk-reasons'
import { Preview } from '../../approvals/preview'
import type { PlannedStep } from '../../approvals/steps'
import { formatLabel, formatName, formatSummary } from '../../parts/label'
import { Notice } from '../../parts/notice'
import { say, sayWith } from '../../texts/say'
import { translate } from '../../texts/translate'

/** The head of a step, before and after the decision: its place, and what it does. */
export const StepHead = ({ number, children }: { number: number, children: ComponentChildren }) => <h2>
  <span class='step-number' aria-hidden='true'>{number}</span>
  <span class='grow'><span class='unseen'>{say('plan.stepNumber', { number })} </span>{children}</span>
</h2>

const Undo = ({ undo }: { undo: string | null }) => <p class={undo === null ? 'small undo never' : 'small undo'}>
  {undo === null
    ? <strong>{say('plan.never')}</strong>
    : <><span class='muted'>{say('plan.undo')}</span> {translate('plans', undo)}</>}
</p>

interface Props {
  step: PlannedStep
  /** Of a step of high risk: whether the reader has named it. */
  named: boolean
  onNamed: ((named: boolean) => void) | undefined
}

const Naming = ({ step: { step, risk }, named, onNamed }: Props) => risk === 'high' && onNamed
  ? (
    <label class='check'>
      <input type='checkbox' checked={named} onChange={(event) => onNamed(event.currentTarget.checked)} />
      {say('plan.nameStep', { step })}
    </label>
    )
  : null

/** A step as it would run: on what the steps before it leave. */
export const Step = (props: Props) => {
  const { step: number, name, summary, risk, target, preview, undo, forbidden, arguments: args } = props.step
  const reasons = sayReasons(props.step)
  return (
    <li class='step stack tight'>
      <StepHead number={number}>{formatSummary({ summary, name })}</StepHead>
      <p class='row tight small'>
        <RiskBadge risk={risk} />
        {target && <span class='muted target'>
          {formatLabel(target.kind)} <strong>{formatName(target.id)}</strong>
        </span>}
      </p>
      {reasons.length > 0 && <p class='small'>{reasons.join(' ')}</p>}
      {forbidden && <Notice tone='bad'>
        {sayWith('plan.forbidden', { why: <strong>{forbidden}</strong> })}
      </Notice>}
      <Preview rows={preview} />
      <Undo undo={undo} />
      <Details approval={{ name, status: 'pending' }} shown={{ target, arguments: args }} />
      <Naming {...props} />
    </li>
  )
}
