import { sql } from 'kysely'
import { scripted } from '../chat.js'
import { sendMessage, type startClient } from './browser.js'

/** Makes a session of so many messages, and opens it. @returns its id */
export const openLongChat = async (
  { app, anthropic, url, page }: Awaited<ReturnType<typeof startClient>>, messages: number, answer: string
): Promise<string> => {
  const question = scripted(anthropic, [{ content: [{ type: 'text', text: answer }] }])
  await sendMessage(page, question)
  await page.locator('.entry.text').getByText(answer).waitFor()
  const [, session = ''] = /chat\/([^/]+)$/.exec(page.url()) ?? []
  // The one answered question again and again, numbered in its texts.
  const rows = sql`
    select (jsonb_populate_record(m, jsonb_build_object(
      'id', gen_random_uuid(), 'seq', m.seq - n * 1000, 'created_at', m.created_at - n * interval '1 s',
      'content', replace(replace(m.content::text, ${question}, 'Question ' || (${messages / 2} - n)),
        ${answer}, 'Answer ' || (${messages / 2} - n) || repeat(' word', 60))::jsonb
    ))).* from agent_message m cross join generate_series(1, ${messages / 2 - 1}) n where m.session_id = ${session}`
  await sql`insert into agent_message ${rows}`.execute(app.db)
  await page.goto('about:blank')
  await page.goto(`${url}/#/chat/${session}`)
  await page.locator('.entry.text').getByText(answer).waitFor()
  return session
}
