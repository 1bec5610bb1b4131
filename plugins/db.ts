import fp from 'fastify-plugin'
import { openFolder, openServer, type Db, type OpenDatabase } from '../db/index.js'
import { migrate } from '../db/migrate.js'
import { findWorkers, type Workers } from '../db/workers.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Db
    database: OpenDatabase
    /** Where the database is divided among servers: which of them answer. */
    databaseWorkers: Workers | undefined
  }
}

/** The start stops with one line that names what to check; an AggregateError has no message of its own. */
const unusable = (url: string) => (error: Error & { code?: string }): never => {
  const what = `The database of ${url} cannot be used: ${error.message || error.code}`
  const isPooler = error.message.includes('unsupported startup parameter')
  throw new Error(isPooler ? `${what}. It is a pooler: set DATABASE_DIRECT_URL to the way past it` : what,
    { cause: error })
}

export default fp(
  async (app) => {
    const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_PREPARED, DATABASE_POOL, DATA_DIR } = app.config
    const database = DATABASE_URL
      ? openServer(DATABASE_URL, {
        max: DATABASE_POOL,
        directUrl: DATABASE_DIRECT_URL,
        prepares: DATABASE_PREPARED === 'auto' ? undefined : DATABASE_PREPARED === 'true',
        onError: (error) => app.log.warn({ reason: error.message }, 'database connection lost')
      })
      : await openFolder(DATA_DIR)
    app.decorate('database', database)
    app.decorate('db', database.db)
    app.addHook('onClose', () => database.close())
    await database.prepare().catch(unusable('DATABASE_DIRECT_URL'))
    await migrate(database.db).catch(unusable(DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR'))
    const noteWorkers = (isWhole: boolean) => isWhole
      ? app.log.info('all workers of the database answer again')
      : app.log.warn('a worker of the database does not answer: background work leaves out its workspaces')
    app.decorate('databaseWorkers', await findWorkers(database.db, noteWorkers, () => database.openApart(),
      database.bulkheads))
    if (database.embedded) {
      app.log.info('embedded database: survives kill -9, not a power cut; set DATABASE_URL for production')
    }
  },
  { name: 'db', dependencies: ['config'] }
)
