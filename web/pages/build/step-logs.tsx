import { useSignal } from '@preact/signals'
import { StateBadge } from '../../parts/badge'
import { LogEntries, ZoneSwitch, type Line } from '../../parts/log-lines'
import { ProblemNotice } from '../../parts/notice'
import type { Live } from '../../api/live'
import { nameOf, type Step } from './stages'
import './build.css'
import { say } from '../../texts/say'

interface StepProps { step: Step, lines: Line[] }

/** What runs or failed is open; a person's own choice stays. */
const StepLog = ({ step, lines }: StepProps) => {
  const chosen = useSignal<boolean | undefined>(undefined)
  const isOpen = chosen.value ?? (step.status === 'failed' || step.status === 'running')
  return (
    <details
      class='card step' open={isOpen}
      onToggle={({ currentTarget }) => { if (currentTarget.open !== isOpen) chosen.value = currentTarget.open }}
    >
      <summary>
        {nameOf(step.name)} <StateBadge state={step.status} />{' '}
        <span class='small muted'>{say('log.lines', { count: lines.length })}</span>
      </summary>
      {isOpen && (lines.length === 0
        ? <p class='small muted'>{say('build.step.none')}</p>
        : <div class='log' tabIndex={0} role='log' aria-label={say('build.step.log', { name: nameOf(step.name) })}>
          <LogEntries lines={lines} />
        </div>)}
    </details>
  )
}

interface Props {
  steps: Step[]
  lines: Line[]
  live: Pick<Live<{ type: string }>, 'state' | 'problem' | 'retry'>
}

const words = {
  connecting: 'build.log.connecting', live: 'build.log.live', again: 'build.log.again', ended: 'build.log.ended'
} as const

/** The log of a build, folded by its steps. */
export const StepLogs = ({ steps, lines, live: { state, problem, retry } }: Props) => <section
  class='stack tight' aria-label={say('build.logs')}
>
  <div class='row spread small muted'>
    <span>{say(problem && state === 'ended' ? 'build.log.stopped' : words[state])}</span><ZoneSwitch />
  </div>
  {problem && <ProblemNotice problem={problem} {...(state === 'ended' && { retry })} />}
  {steps.map((step) => <StepLog key={step.name} step={step} lines={lines.filter(({ tag }) => tag === step.name)} />)}
</section>
