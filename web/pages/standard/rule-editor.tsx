import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Badge } from '../../parts/badge'
import type { Cell } from '../../parts/cell'
import type { Rule } from './rule'
import { checks, RuleFields, severities, tones } from './rule-fields'
import { say } from '../../texts/say'

interface Props {
  rule: Cell<Rule>
  isNew: boolean
  /** What the server says of the rule as it stands. */
  problems: string[]
  onRemove: (event: MouseEvent) => void
}

/** One rule, folded to a line until it is opened. */
export const RuleEditor = ({ rule, isNew, problems, onRemove }: Props) => {
  const isOpen = useSignal(isNew)
  const root = useRef<HTMLDetailsElement>(null)
  const isWrong = problems.length > 0
  useEffect(() => { if (isNew) root.current?.querySelector('input')?.focus() }, [])
  useEffect(() => { if (isWrong) isOpen.value = true }, [isWrong])
  const { title, severity, check: { fn } } = rule.value
  const name = title || say('standard.rule.new')
  return (
    <details
      ref={root} class='rule' aria-label={name} open={isOpen.value}
      onToggle={({ currentTarget }) => { isOpen.value = currentTarget.open }}
      // A browser shows what is wrong with a field only where the field is seen.
      onInvalidCapture={({ currentTarget }) => { currentTarget.open = true }}
    >
      <summary><strong>{name}</strong> <span class='small muted'>{say(checks[fn])}</span>{' '}
        <Badge tone={tones[severity]}>{say(severities[severity])}</Badge>
      </summary>
      <div class='stack'>
        {isWrong && <ul class='problem'>{problems.map((one) => <li key={one}>{one}</li>)}</ul>}
        <RuleFields rule={rule} />
        <div>
          <button type='button' class='small' onClick={onRemove}>{say('standard.rule.remove', { name })}</button>
        </div>
      </div>
    </details>
  )
}
