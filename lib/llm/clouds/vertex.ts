import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import { GoogleAuth, type AuthClient } from 'google-auth-library'
import { fieldsOf } from '../../../schemas/unknown.js'
import { noCredentials, noKey } from './errors.js'
import { common, type CloudOptions, type Road } from './send.js'

/** The project is given: the library would ask Google for it, which whoever asks models need not be allowed to. */
const makeAuth = ({ project: projectId, serviceAccount: credentials }: CloudOptions) => new GoogleAuth({
  projectId, scopes: 'https://www.googleapis.com/auth/cloud-platform', ...(credentials && { credentials })
})

/** Codes of the network; those of files, such as ENOENT, say that there are no credentials. */
const network = /^(ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND|EHOST|ENET|UND_ERR_)/

/** Faults of the way to credentials may pass; that there are none, or that they are refused, does not. */
const isFinal = (error: unknown): boolean => {
  const { status, response, code } = fieldsOf(error)
  const answered = Number(status ?? fieldsOf(response).status ?? NaN)
  if (answered > 0) return answered < 500 && answered !== 429
  return !network.test(String(code))
}

/** Vertex AI of Google Cloud: requests carry a token, which Google's library gets with what it finds. */
export const vertexRoad = (options: CloudOptions, fetch: typeof globalThis.fetch): Road => {
  const { baseURL, region, project } = options
  let auth = makeAuth(options)
  const getRequestHeaders = async () => {
    try {
      return await auth.getRequestHeaders()
    } catch (error) {
      throw isFinal(error) ? noCredentials('Google Cloud') : error
    }
  }
  return {
    clientFor: (apiKey) => {
      if (apiKey !== undefined) throw noKey()
      return new AnthropicVertex({
        ...common,
        fetch,
        region,
        projectId: project,
        // Null: the client would look into the environment itself.
        baseURL: baseURL ?? null,
        // Nothing else of it is called. One that looks for credentials at once would fail once and for ever.
        authClient: { getRequestHeaders } as AuthClient
      })
    },
    hasExpired: ({ status }) => status === 401,
    renew: () => { auth = makeAuth(options) }
  }
}
