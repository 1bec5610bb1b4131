import { openEmbedded } from '../../db/embedded.js'
import { cloneSessions } from './steward-sessions.js'

const { FOLDER, COUNT } = process.env
if (!FOLDER) throw new Error('FOLDER is missing')
const database = await openEmbedded(FOLDER)
for (const text of cloneSessions(Number(COUNT))) await database.exec(text)
await database.close()
process.exit(0)
