import { useLocation } from 'wouter-preact'
import { signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { Markdown } from '../../parts/markdown'
import { Notice } from '../../parts/notice'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'
import { kinds, titleOf } from './kinds'
import type { Rule } from './rule'
import { checks, RuleFields, severities, tones } from './rule-fields'
import './standard.css'

type Standard = Schemas['Standard']

/** Makes a standard of the same content, which can be changed, and opens it. */
export const CopyStandard = ({ standard }: { standard: Standard }) => {
  const [, navigate] = useLocation()
  const copy = async () => {
    const made = await body(api.POST('/pse/standards', {
      body: { clone_of: standard.standard_id, title: say('standard.copyOf', { title: titleOf(standard) }) }
    }))
    navigate(`/standards/${made.standard_id}`)
  }
  return (
    <ActionButton variant='primary' act={copy} label={say('standard.copy')}>{say('standard.copy')}</ActionButton>
  )
}

const ShownRule = ({ rule }: { rule: Rule }) => <details class='rule'>
  <summary>
    <strong>{translate('standards', rule.title)}</strong>{' '}
    <span class='small muted'>{say(checks[rule.check.fn])}</span>{' '}
    <Badge tone={tones[rule.severity]}>{say(severities[rule.severity])}</Badge>
  </summary>
  <fieldset disabled aria-label={translate('standards', rule.title)}>
    <RuleFields
      rule={signal({
        ...rule, title: translate('standards', rule.title), statement: translate('standards', rule.statement ?? '')
      })}
    />
  </fieldset>
</details>

/** A standard that comes with Steward: its text and rules to read. */
export const ReadOnlyStandard = ({ standard: { kind, description, body_markdown: text, rules = [] } }: {
  standard: Standard
}) => <section class='card stack' aria-label={say('standard.standard')}>
  <Notice>{say('standard.builtin')}</Notice>
  <p><Badge>{say(kinds[kind])}</Badge> {translate('standards', description ?? '')}</p>
  {text && <Markdown text={text} />}
  <section class='stack tight' aria-label={say('standard.rules')}>
    <h2>{say('standard.rules')}</h2>
    {rules.length === 0 && <p class='small muted'>{say('standard.rules.none')}</p>}
    {rules.map((rule) => <ShownRule key={rule.rule_id} rule={rule} />)}
  </section>
</section>
