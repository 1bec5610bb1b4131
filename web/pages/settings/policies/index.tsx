import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { Badge } from '../../../parts/badge'
import { Notice } from '../../../parts/notice'
import { Loaded } from '../../../parts/states'
import { Time } from '../../../parts/time'
import { UnifiedDiff } from '../../../parts/unified-diff'
import { Editor } from './editor'
import { Replay } from './replay'
import { Versions } from './versions'
import { say, sayWith } from '../../../texts/say'

type Policies = Schemas['Policies']

const Holds = ({ of }: { of: Policies['enabled'] }) => <p>
  {of === null || of.text === ''
    ? <>{say('policy.none')}</>
    : <><Badge
        tone='good'
    >{say('policy.versionHolds', { version: of.version })}
    </Badge> {sayWith('policy.since', { when: <Time at={of.enabled_at} /> })}
    </>}
</p>

const Words = () => {
  const schema = useResource([], (signal) => body(api.GET('/account/policies/schema', { signal })))
  return <Loaded of={schema}>{({ schema: text }) => <pre class='block' tabIndex={0}>{text}</pre>}</Loaded>
}

/** The schema, which is made of the tools that write; read when it is opened. */
const Vocabulary = () => {
  const isOpen = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => { isOpen.value = currentTarget.open }}>
      <summary>{say('policy.vocabulary')}</summary>
      {isOpen.value && <Words />}
    </details>
  )
}

/** What needs an approval, by whom, and what is never done. */
export default function PoliciesPart () {
  const policies = useResource([], (signal) => body(api.GET('/account/policies', { signal })))
  const done = useSignal('')
  const { reload } = policies
  return (
    <div class='stack'>
      <Loaded of={policies}>{(now) => <>
        <Holds of={now.enabled} />
        {done.value !== '' && <Notice tone='good'>{done.value}</Notice>}
        <Editor
          policies={now} onStale={reload} onSaved={() => {
            done.value = ''
            reload()
          }}
        />
        <Vocabulary />
        {now.draft && <>
          {now.draft.diff !== '' && <section class='card stack' aria-label={say('policy.difference')}>
            <h2>{say('policy.difference')}</h2>
            <UnifiedDiff text={now.draft.diff} label={say('policy.changes')} />
          </section>}
          <Replay
            key={now.draft.digest} draft={now.draft} onReplayed={reload} onEnabled={() => {
              done.value = say('policy.enabled')
              reload()
            }}
          />
        </>}
        <Versions current={now.enabled?.version ?? 0} />
      </>}
      </Loaded>
    </div>
  )
}
