const target = { baseUrl: '', token: '' }

export const connect = (baseUrl: string, token: string): void => { Object.assign(target, { baseUrl, token }) }

/** Sends what orval has made a request of; a stream is handed on as such. */
export const send = async <Answer>(path: string, request: RequestInit): Promise<Answer> => {
  const headers = { ...request.headers, authorization: `Bearer ${target.token}` }
  const answer = await fetch(target.baseUrl + path, { ...request, headers })
  if (!answer.ok) throw new Error(await answer.text())
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
  const data = isStream ? answer.body : await answer.json()
  return { data, status: answer.status, headers: answer.headers } as Answer
}
