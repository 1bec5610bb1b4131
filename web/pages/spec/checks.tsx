import { CircleCheck } from 'lucide-preact'
import type { Schemas } from '../../api/client'
import { Badge, StateBadge } from '../../parts/badge'
import { Empty } from '../../parts/states'

const tones = { error: 'bad', warn: 'warn', info: 'info' } as const

/** What the rules found in the version. */
export const Checks = ({ report }: { report: Schemas['SpecVersion']['checks'] }) => {
  const findings = report?.findings ?? []
  if (findings.length === 0) {
    return <div class='card'><Empty icon={CircleCheck} title='Nothing found'><p>No rule objects to it.</p></Empty></div>
  }
  return (
    <section class='card flush' aria-label='Findings'>
      <header><h2>Findings</h2><StateBadge state={report?.verdict} /></header>
      <div class='table' tabIndex={0}>
        <table>
          <thead><tr><th scope='col'>Severity</th><th scope='col'>Where</th><th scope='col'>What</th>
            <th scope='col'>Rule</th>
          </tr>
          </thead>
          <tbody>{findings.map((finding) => <tr key={finding.finding_id}>
            <td><Badge tone={tones[finding.severity]}>{finding.severity}</Badge></td>
            <td class='mono'>{finding.target}</td><td>{finding.message}</td><td class='mono'>{finding.rule_id}</td>
          </tr>)}
          </tbody>
        </table>
      </div>
    </section>
  )
}
