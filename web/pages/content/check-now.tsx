import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Notice, ProblemNotice } from '../../parts/notice'
import { formatField } from './fields'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Content = Schemas['Content']
type Report = Schemas['BrandReport']

/** The members of a record that the brand's rules check. */
const judged = ['project_id', 'brief_id', 'channel', 'network', 'locale', 'title', 'slug', 'summary', 'body_markdown',
  'fields', 'seo', 'media', 'waivers'] as const

const checkText = (content: Content) => {
  const picked = Object.fromEntries(judged.map((key) => [key, content[key]]))
  // In a record, each of these members has its type in the request.
  return body(api.POST('/content/checks', {
    body: { content_id: content.id, ...picked as Pick<Content, typeof judged[number]> }
  }))
}

const Verdict = ({ report: { verdict, score, findings } }: { report: Report }) => {
  const open = findings.filter(({ waived }) => !waived)
  return (
    <Notice tone={verdict === 'pass' ? 'good' : verdict === 'fail' ? 'bad' : 'warn'}>
      <strong>{say('content.checked.score', { score })}</strong>{' '}
      {open.length === 0 ? say('content.checked.none') : say('content.checked.found', { count: open.length })}
      <ul>{open.slice(0, 20).map((finding, index) => <li key={index}>
        {formatField(finding.field)}: {translate('findings', finding.message)}
      </li>)}
      </ul>
    </Notice>
  )
}

/** Checks the text in the form before it is saved. */
export const CheckNow = ({ content }: { content: Content }) => {
  const report = useSignal<Report | undefined>(undefined)
  const { run, busy, problem } = useAction(async () => { report.value = await checkText(content) })
  return (
    <>
      <div>
        <button type='button' disabled={busy} onClick={() => { void run() }}>{say('content.checkNow')}</button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {report.value && <Verdict report={report.value} />}
    </>
  )
}
