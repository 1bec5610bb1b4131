import type { Schemas } from '../api/client'
import { Notice } from './notice'

interface Listed { partial: boolean, errors: Schemas['SourceError'][] }

/** Says which account or region did not answer: a list that is not whole must not look whole. */
export const PartialNotice = ({ of }: { of: Listed | undefined }) => !of?.partial
  ? null
  : <Notice tone='warn'>
    <strong>Not everything answered.</strong>
    <ul>{of.errors.map((error, index) => <li key={index}>
      {[error.region, error.detail].filter(Boolean).join(': ')} <code>{error.code}</code>
    </li>)}
    </ul>
  </Notice>
