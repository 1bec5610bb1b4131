import type { Schemas } from '../api/client'
import { Notice } from './notice'
import { say } from '../texts/say'

interface Listed { partial: boolean, errors: Schemas['SourceError'][] }

/** Lists the accounts and regions that did not answer, so that an incomplete list does not look complete. */
export const PartialNotice = ({ of }: { of: Listed | undefined }) => !of?.partial
  ? null
  : <Notice tone='warn'>
    <strong>{say('sources.partial')}</strong>
    <ul>{of.errors.map((error, index) => <li key={index}>
      {[error.region, error.detail].filter(Boolean).join(': ')} <code>{error.code}</code>
    </li>)}
    </ul>
  </Notice>
