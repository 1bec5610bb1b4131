import { sql, type Kysely } from 'kysely'

/** Where texts with an image are live, or on their way: strangers see it for as long as there is a use. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_image_use (
    workspace_id uuid not null, image_id uuid not null, content_id uuid not null, target_id uuid not null,
    version integer not null, primary key (workspace_id, image_id, content_id, target_id, version))`.execute(db)
  await sql`create index content_image_use_content on content_image_use (workspace_id, content_id, target_id)`
    .execute(db)
  await sql`insert into content_image_use (workspace_id, image_id, content_id, target_id, version)
    select i.workspace_id, i.id, p.content_id, p.target_id, p.version from content_image i
    join content_placement p on p.workspace_id = i.workspace_id and p.live
    join content_version v on v.workspace_id = p.workspace_id and v.content_id = p.content_id and v.version = p.version
    where i.public_since is not null and position('/content/images/' || i.id::text in v.body::text) > 0`.execute(db)
}
