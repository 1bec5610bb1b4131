import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Notice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Finding = Schemas['DiagnosisFinding']

/** What somebody else wrote is data. */
const isQuoted = ({ kind }: Finding): boolean => kind === 'log' || kind === 'event'

const Row = ({ finding }: { finding: Finding }) => <tr>
  <td><StateBadge state={finding.weight} /></td>
  <td class={finding.kind === 'log' ? 'mono' : undefined}>
    {isQuoted(finding) ? finding.text : translate('services', finding.text)}
  </td>
  <td class='nowrap'><Time at={finding.at} /></td>
  <td class='small'><code>{finding.source.operation}</code><div class='muted' title={finding.source.id}>
    {finding.source.id.split('/').at(-1)}
  </div>
  </td>
</tr>

/** Facts with their sources, the heaviest first. */
export default function DiagnosisResult ({ result }: Pick<ViewProps<Schemas['Diagnosis']>, 'result'>) {
  return (
    <section class='stack tight' aria-label={say('diagnosis.title')}>
      <p><StateBadge state={result.health} /> {result.health_reason && translate('services', result.health_reason)}</p>
      <div class='card flush'>
        <Table columns={[say('diagnosis.weight'), say('service.what'), say('service.when'), say('diagnosis.source')]}>
          {result.findings.map((finding, at) => <Row key={at} finding={finding} />)}
        </Table>
      </div>
      {result.unread.map((note) => <Notice key={note} tone='warn'>{translate('services', note)}</Notice>)}
    </section>
  )
}

export const ServiceDiagnosis = ({ service }: { service: string }) => {
  const diagnosis = useResource([service], (signal) => body(api.GET('/infrastructure/containers/services/{service}/diagnosis',
    { params: { path: { service } }, signal })), { every: 30_000 })
  return <Loaded of={diagnosis}>{(found) => <DiagnosisResult result={found} />}</Loaded>
}
