-- db/account/assistants.ts deleteOldAssistants
select "workspace_id", "id"
  from "account_assistant"
  where until < now() - interval '7 days';
begin;
delete from "account_assistant"
  where "workspace_id" = $1
  and "id" = any($2);
delete from "account_token"
  where "workspace_id" = $1
  and "id" = any($2);
commit;
select "workspace_id", "id"
  from "account_assistant"
  where ((until < now() - interval '7 days')
  and "workspace_id" = any($1::uuid[]));

-- db/account/assistants.ts endAssistant
update "account_token"
  set "revoked_at" = least("revoked_at", now())
  where "workspace_id" = $1
  and "id" = $2
  and "resource" is not null
  and user_id = $3::uuid
  returning "id";
update "account_token"
  set "revoked_at" = least("revoked_at", now())
  where "workspace_id" = $1
  and "id" = $2
  and "resource" is not null
  and true
  returning "id";

-- db/account/assistants.ts endAssistantsOf
update "account_token"
  set "revoked_at" = now()
  where "workspace_id" = $1
  and "resource" is not null
  and "revoked_at" is null;

-- db/account/assistants.ts extendAssistant
update "account_token"
  set "expires_at" = now() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "id" = $3
  and "revoked_at" is null;

-- db/account/assistants.ts findAssistantOwner
select "user_id"
  from "account_token"
  where "workspace_id" = $1
  and "id" = $2
  and "resource" is not null;

-- db/account/assistants.ts findGrant
select "assistant"."id", "assistant"."client_id", "assistant"."resource" as "uri", "assistant"."scopes", "assistant"."until", "token"."user_id", "token"."resource", "token"."scopes" as "token_scopes", "token"."access_until", "token"."created_at"
  from "account_assistant" as "assistant"
  inner join "account_token" as "token" on "token"."workspace_id" = "assistant"."workspace_id"
  and "token"."id" = "assistant"."id"
  where "assistant"."workspace_id" = $1
  and "token"."revoked_at" is null
  and "assistant"."id" = $2;

-- db/account/assistants.ts findGrantOfToken
select "assistant"."id", "assistant"."client_id", "assistant"."resource" as "uri", "assistant"."scopes", "assistant"."until", "token"."user_id", "token"."resource", "token"."scopes" as "token_scopes", "token"."access_until", "token"."created_at"
  from "account_assistant" as "assistant"
  inner join "account_token" as "token" on "token"."workspace_id" = "assistant"."workspace_id"
  and "token"."id" = "assistant"."id"
  where "assistant"."workspace_id" = $1
  and "token"."revoked_at" is null
  and "token"."hash" = $2
  and "token"."access_until" > now();

-- db/account/assistants.ts insertAssistant
insert into "account_token" ("workspace_id", "id", "user_id", "name", "resource", "hash", "prefix", "scopes", "assistant", "access_until", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now() + make_interval(secs => $10));
insert into "account_assistant" ("workspace_id", "id", "client_id", "client_host", "redirect_host", "resource", "scopes", "until")
  values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8));

-- db/account/assistants.ts listAssistants
select "assistant"."id", "token"."user_id", "token"."name", "assistant"."client_id", "assistant"."client_host", "assistant"."redirect_host", "assistant"."scopes", "token"."created_at", "token"."last_used_at", "token"."expires_at", token.resource as "resource"
  from "account_assistant" as "assistant"
  inner join "account_token" as "token" on "token"."workspace_id" = "assistant"."workspace_id"
  and "token"."id" = "assistant"."id"
  where "assistant"."workspace_id" = $1
  and "token"."revoked_at" is null
  and "token"."expires_at" > now()
  and user_id = $2::uuid
  and "assistant"."id" < $3
  order by "assistant"."id" desc
  limit 1;
select "assistant"."id", "token"."user_id", "token"."name", "assistant"."client_id", "assistant"."client_host", "assistant"."redirect_host", "assistant"."scopes", "token"."created_at", "token"."last_used_at", "token"."expires_at", token.resource as "resource"
  from "account_assistant" as "assistant"
  inner join "account_token" as "token" on "token"."workspace_id" = "assistant"."workspace_id"
  and "token"."id" = "assistant"."id"
  where "assistant"."workspace_id" = $1
  and "token"."revoked_at" is null
  and "token"."expires_at" > now()
  and true
  and "assistant"."id" < $2
  order by "assistant"."id" desc
  limit 1;
select "assistant"."id", "token"."user_id", "token"."name", "assistant"."client_id", "assistant"."client_host", "assistant"."redirect_host", "assistant"."scopes", "token"."created_at", "token"."last_used_at", "token"."expires_at", token.resource as "resource"
  from "account_assistant" as "assistant"
  inner join "account_token" as "token" on "token"."workspace_id" = "assistant"."workspace_id"
  and "token"."id" = "assistant"."id"
  where "assistant"."workspace_id" = $1
  and "token"."revoked_at" is null
  and "token"."expires_at" > now()
  and true
  order by "assistant"."id" desc
  limit 1;

-- db/account/assistants.ts replaceAccess
update "account_token"
  set "hash" = $1, "scopes" = $2, "access_until" = now() + make_interval(secs => $3), "expires_at" = greatest(expires_at, now() + make_interval(secs => $4))
  where "workspace_id" = $5
  and "id" = $6
  and "revoked_at" is null
  returning "id";

-- db/account/groups.ts deleteBinding
delete from "account_binding"
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/account/groups.ts deleteBindingsOn
delete from "account_binding"
  where "workspace_id" = $1
  and "scope" = $2
  and "scope_of" = $3;

-- db/account/groups.ts deleteGroup
delete from "account_group"
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/account/groups.ts findBinding
select "b"."id", "b"."role", "b"."user_id", "b"."group_id", "b"."scope", "b"."scope_of", "b"."created_by", "b"."created_at", coalesce( (select u.name
  from account_user u
  where u.workspace_id = $1
  and u.id = b.user_id), (select g.name
  from account_group g
  where g.workspace_id = $2
  and g.id = b.group_id), '') as "subject_name"
  from "account_binding" as "b"
  where "b"."workspace_id" = $3
  and "b"."id" = $4;

-- db/account/groups.ts findGroup
select "g"."id", "g"."name", "g"."revision", "g"."created_at", "g"."updated_at", coalesce(( select jsonb_agg(jsonb_build_object('user_id', u.id, 'name', u.name)
  order by u.name, u.id)
  from account_group_member m join account_user u on u.workspace_id = m.workspace_id
  and u.id = m.user_id
  where m.workspace_id = $1
  and m.group_id = g.id), '[]') as "members"
  from "account_group" as "g"
  where "g"."workspace_id" = $2
  and "g"."id" = $3;

-- db/account/groups.ts findGroupIds
select "g"."id", "g"."name"
  from "account_group_member" as "m"
  inner join "account_group" as "g" on "g"."workspace_id" = "m"."workspace_id"
  and "g"."id" = "m"."group_id"
  where "m"."workspace_id" = $1
  and "m"."user_id" = $2
  order by "g"."id";

-- db/account/groups.ts insertBinding
insert into "account_binding" ("created_by", "group_id", "role", "scope", "scope_of", "user_id", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning "id";

-- db/account/groups.ts insertGroup
insert into "account_group" ("workspace_id", "id", "name")
  values ($1, $2, $3)
  returning "id";

-- db/account/groups.ts listBindings
select "b"."id", "b"."role", "b"."user_id", "b"."group_id", "b"."scope", "b"."scope_of", "b"."created_by", "b"."created_at", coalesce( (select u.name
  from account_user u
  where u.workspace_id = $1
  and u.id = b.user_id), (select g.name
  from account_group g
  where g.workspace_id = $2
  and g.id = b.group_id), '') as "subject_name"
  from "account_binding" as "b"
  where "b"."workspace_id" = $3
  and "b"."user_id" = $4
  and "b"."group_id" = $5
  and "b"."id" < $6
  order by "b"."id" desc
  limit 1;
select "b"."id", "b"."role", "b"."user_id", "b"."group_id", "b"."scope", "b"."scope_of", "b"."created_by", "b"."created_at", coalesce( (select u.name
  from account_user u
  where u.workspace_id = $1
  and u.id = b.user_id), (select g.name
  from account_group g
  where g.workspace_id = $2
  and g.id = b.group_id), '') as "subject_name"
  from "account_binding" as "b"
  where "b"."workspace_id" = $3
  order by "b"."id" desc
  limit 1;

-- db/account/groups.ts listGroups
select "g"."id", "g"."name", "g"."revision", "g"."created_at", "g"."updated_at", coalesce(( select jsonb_agg(jsonb_build_object('user_id', u.id, 'name', u.name)
  order by u.name, u.id)
  from account_group_member m join account_user u on u.workspace_id = m.workspace_id
  and u.id = m.user_id
  where m.workspace_id = $1
  and m.group_id = g.id), '[]') as "members"
  from "account_group" as "g"
  where "g"."workspace_id" = $2
  and "g"."id" < $3
  order by "g"."id" desc
  limit 1;
select "g"."id", "g"."name", "g"."revision", "g"."created_at", "g"."updated_at", coalesce(( select jsonb_agg(jsonb_build_object('user_id', u.id, 'name', u.name)
  order by u.name, u.id)
  from account_group_member m join account_user u on u.workspace_id = m.workspace_id
  and u.id = m.user_id
  where m.workspace_id = $1
  and m.group_id = g.id), '[]') as "members"
  from "account_group" as "g"
  where "g"."workspace_id" = $2
  order by "g"."id" desc
  limit 1;

-- db/account/groups.ts listGroupsOf
select "g"."id", "g"."name"
  from "account_group_member" as "m"
  inner join "account_group" as "g" on "g"."workspace_id" = "m"."workspace_id"
  and "g"."id" = "m"."group_id"
  where "m"."workspace_id" = $1
  and "m"."user_id" = $2
  order by "g"."id";

-- db/account/groups.ts setMembers
delete from "account_group_member"
  where "workspace_id" = $1
  and "group_id" = $2
  and user_id <> all($3::uuid[]);
insert into "account_group_member" ("workspace_id", "group_id", "user_id")
  values ($1, $2, $3)
  on conflict do nothing;

-- db/account/groups.ts updateBinding
update "account_binding"
  set "role" = $1
  where "workspace_id" = $2
  and "id" = $3
  returning "id";

-- db/account/groups.ts updateGroup
update "account_group"
  set "name" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and "revision" = any($4)
  returning "id";
update "account_group"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/account/identities.ts addMember
insert into "account_group_member" ("workspace_id", "group_id", "user_id")
  values ($1, $2, $3)
  on conflict do nothing
  returning "user_id";

-- db/account/identities.ts deleteIdentity
delete from "account_identity"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3
  returning "id";

-- db/account/identities.ts deleteProvider
delete from "account_identity_provider"
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/account/identities.ts findByEmail
select "id", "role", "status"
  from "account_user"
  where "workspace_id" = $1
  and lower(email) = lower($2)
  order by "id";

-- db/account/identities.ts findIdentity
select "id", "provider_id", "user_id", "issuer", "subject", "joined_by", "rule_role", "own_role", "groups"
  from "account_identity"
  where "workspace_id" = $1
  and "issuer" = $2
  and "subject" = $3;

-- db/account/identities.ts findIdentityById
select "id", "provider_id", "user_id", "issuer", "subject", "joined_by", "rule_role", "own_role", "groups"
  from "account_identity"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/identities.ts findProvider
select "workspace_id", "id", "name", "issuer", "client_id", "secret", "scopes", "domains", "groups_claim", "rules", "just_in_time", "joins_by_email", "role", "check_minutes", "grace_minutes", "enabled", "revision", "created_at", "updated_at"
  from "account_identity_provider"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/identities.ts forgetProviderSecret
update "account_identity_provider"
  set "secret" = $1, "enabled" = $2
  where "workspace_id" = $3
  and "id" = $4;

-- db/account/identities.ts hasIdentity
select "id"
  from "account_identity"
  where "workspace_id" = $1
  and "user_id" = $2
  limit 1;

-- db/account/identities.ts insertIdentity
insert into "account_identity" ("email", "issuer", "joined_by", "provider_id", "rule_role", "subject", "user_id", "workspace_id", "id", "groups")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  returning "id", "provider_id", "user_id", "issuer", "subject", "joined_by", "rule_role", "own_role", "groups";

-- db/account/identities.ts insertProvider
insert into "account_identity_provider" ("check_minutes", "client_id", "created_by", "domains", "enabled", "grace_minutes", "groups_claim", "id", "issuer", "joins_by_email", "just_in_time", "name", "role", "rules", "scopes", "secret", "workspace_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- db/account/identities.ts listIdentities
select "i"."id", "i"."provider_id", "p"."name" as "provider", "i"."issuer", "i"."subject", "i"."email", "i"."joined_by", "i"."rule_role", "i"."last_sign_in_at", coalesce(( select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name)
  order by g.name, g.id)
  from account_group g
  where g.workspace_id = $1
  and i.groups::jsonb ? g.id::text), '[]') as "groups"
  from "account_identity" as "i"
  inner join "account_identity_provider" as "p" on "p"."workspace_id" = "i"."workspace_id"
  and "p"."id" = "i"."provider_id"
  where "i"."workspace_id" = $2
  and "i"."user_id" = $3
  order by "i"."id";

-- db/account/identities.ts listKnownGroups
select "id"
  from "account_group"
  where "workspace_id" = $1
  and id = any($2::uuid[])
  order by "id";

-- db/account/identities.ts listProviders
select "workspace_id", "id", "name", "issuer", "client_id", "secret", "scopes", "domains", "groups_claim", "rules", "just_in_time", "joins_by_email", "role", "check_minutes", "grace_minutes", "enabled", "revision", "created_at", "updated_at"
  from "account_identity_provider"
  where "workspace_id" = $1
  order by "id";

-- db/account/identities.ts removeMember
delete from "account_group_member"
  where "workspace_id" = $1
  and "group_id" = $2
  and "user_id" = $3;

-- db/account/identities.ts touchIdentity
update "account_identity"
  set "email" = $1, "last_sign_in_at" = now()
  where "workspace_id" = $2
  and "id" = $3;

-- db/account/identities.ts updateIdentity
update "account_identity"
  set "email" = $1, "own_role" = $2, "rule_role" = $3, "groups" = $4
  where "workspace_id" = $5
  and "id" = $6;
update "account_identity"
  set
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/identities.ts updateProvider
update "account_identity_provider"
  set "check_minutes" = $1, "client_id" = $2, "enabled" = $3, "grace_minutes" = $4, "groups_claim" = $5, "joins_by_email" = $6, "just_in_time" = $7, "name" = $8, "role" = $9, "secret" = $10, "scopes" = $11, "domains" = $12, "rules" = $13, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $14
  and "id" = $15
  and "revision" = any($16)
  returning "id";
update "account_identity_provider"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/account/identity-sessions.ts claimCheck
update "account_session"
  set "check_at" = statement_timestamp() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "id" = $3
  and "check_at" <= now()
  and "ended_at" is null
  returning "id";

-- db/account/identity-sessions.ts endIdentitySessions
update "account_session"
  set "ended_at" = least("ended_at", now())
  where "workspace_id" = $1
  and "id" = any($2)
  and "ended_at" is null
  returning "id";
delete from "account_identity_session"
  where "workspace_id" = $1
  and "id" = any($2);

-- db/account/identity-sessions.ts findIdentitySession
select "id", "identity_id", "provider_id", "tokens", extract(epoch
  from now() - answered_at)::float8 as "silent_seconds"
  from "account_identity_session"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/identity-sessions.ts forgetSessionTokens
update "account_identity_session"
  set "tokens" = $1
  where "workspace_id" = $2
  and "id" = $3;

-- db/account/identity-sessions.ts insertAttempt
delete from "account_identity_attempt"
  where "workspace_id" = $1
  and "expires_at" <= now();
insert into "account_identity_attempt" ("binding_hash", "kept", "provider_id", "return_to", "session_id", "state_hash", "user_id", "workspace_id", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9));
insert into "account_identity_attempt" ("binding_hash", "kept", "provider_id", "return_to", "state_hash", "workspace_id", "expires_at")
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7));

-- db/account/identity-sessions.ts insertIdentitySession
delete from "account_identity_session" as "i"
  where "i"."workspace_id" = $1
  and not exists (select "s"."id"
  from "account_session" as "s"
  where "s"."workspace_id" = $2
  and "s"."id" = "i"."id"
  and "s"."ended_at" is null
  and "s"."expires_at" > now()
  and "s"."idle_expires_at" > now());
insert into "account_identity_session" ("id", "identity_id", "provider_id", "sid", "tokens", "workspace_id")
  values ($1, $2, $3, $4, $5, $6);
update "account_session"
  set "check_at" = statement_timestamp() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "id" = $3;

-- db/account/identity-sessions.ts listIdentitySessions
select "id"
  from "account_identity_session"
  where "workspace_id" = $1
  and "provider_id" = $2
  and "identity_id" = $3
  and "sid" = $4;
select "id"
  from "account_identity_session"
  where "workspace_id" = $1
  and "provider_id" = $2;

-- db/account/identity-sessions.ts saveAnswer
update "account_identity_session"
  set "tokens" = $1, "answered_at" = now()
  where "workspace_id" = $2
  and "id" = $3;
update "account_session"
  set "check_at" = statement_timestamp() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "id" = $3;

-- db/account/identity-sessions.ts setCheck
update "account_session"
  set "check_at" = statement_timestamp() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "id" = $3;

-- db/account/identity-sessions.ts takeAttempt
delete from "account_identity_attempt"
  where "workspace_id" = $1
  and "state_hash" = $2
  and "provider_id" = $3
  and "binding_hash" = $4
  and "expires_at" > now()
  returning "user_id", "session_id", "kept", "return_to";

-- db/account/identity-sessions.ts takeLogoutToken
delete from "account_logout_token"
  where "workspace_id" = $1
  and "expires_at" <= now();
insert into "account_logout_token" ("workspace_id", "provider_id", "jti", "expires_at")
  values ($1, $2, $3, $4)
  on conflict do nothing
  returning "jti";

-- db/account/oauth-clients.ts consumeState
update "account_oauth_state"
  set "consumed_at" = least("consumed_at", now())
  where "workspace_id" = $1
  and "model" = $2
  and "hash" = $3
  and "consumed_at" is null
  returning "hash";

-- db/account/oauth-clients.ts deleteClient
delete from "account_oauth_client"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/oauth-clients.ts deleteOldStates
delete from "account_oauth_state"
  where expires_at < now();
delete from "account_oauth_state"
  where ((expires_at < now())
  and "workspace_id" = any($1::uuid[]));

-- db/account/oauth-clients.ts deleteState
delete from "account_oauth_state"
  where "workspace_id" = $1
  and "model" = $2
  and "hash" = $3;

-- db/account/oauth-clients.ts deleteStatesOfGrant
delete from "account_oauth_state"
  where "workspace_id" = $1
  and "model" = $2
  and "grant_id" = $3;

-- db/account/oauth-clients.ts deleteUnusedClients
delete from "account_oauth_client"
  where "workspace_id" = $1
  and (used_at < now() - interval '100 days'
  or (used_at is null
  and created_at < now() - interval '1 day'));

-- db/account/oauth-clients.ts findClient
select "metadata"
  from "account_oauth_client"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/oauth-clients.ts findState
select "hash", "payload", "encrypted", "consumed_at"
  from "account_oauth_state"
  where "workspace_id" = $1
  and "model" = $2
  and "hash" = $3
  and "expires_at" > now();

-- db/account/oauth-clients.ts findStateOfUserCode
select "hash", "payload", "encrypted", "consumed_at"
  from "account_oauth_state"
  where "workspace_id" = $1
  and "user_code" = $2
  and "expires_at" > now();

-- db/account/oauth-clients.ts insertClient
begin;
select pg_advisory_xact_lock(hashtextextended($1, 0));
delete from "account_oauth_client"
  where "workspace_id" = $1
  and (used_at < now() - interval '100 days'
  or (used_at is null
  and created_at < now() - interval '1 day'));
select count(*) as "all", count(*) filter (where address = $1
  and created_at > now() - interval '1 hour') as "hourly", count(*) filter (where starts_with(address, $2)
  and created_at > now() - interval '1 hour') as "site"
  from "account_oauth_client"
  where "workspace_id" = $3;
rollback;
commit;
insert into "account_oauth_client" ("workspace_id", "address", "id", "metadata")
  values ($1, $2, $3, $4);

-- db/account/oauth-clients.ts putState
insert into "account_oauth_state" ("workspace_id", "model", "hash", "encrypted", "grant_id", "payload", "user_code", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
  on conflict ("workspace_id", "model", "hash") do update
  set "encrypted" = $9, "grant_id" = $10, "payload" = $11, "user_code" = $12, "expires_at" = "excluded"."expires_at";

-- db/account/oauth-clients.ts touchClient
update "account_oauth_client"
  set "used_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and (used_at is null
  or used_at < now() - interval '1 day');

-- db/account/oauth-clients.ts wasConsumedWithin
select "hash"
  from "account_oauth_state"
  where "workspace_id" = $1
  and "model" = $2
  and "hash" = $3
  and "consumed_at" > now() + make_interval(secs => $4);

-- db/account/passkeys.ts deletePasskey
delete from "account_passkey"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/passkeys.ts deletePasskeysOf
delete from "account_passkey"
  where "workspace_id" = $1
  and "user_id" = $2
  returning "credential_id";

-- db/account/passkeys.ts findPasskey
select "id", "user_id", "name", "rp_id", "backed_up", "created_at", "last_used_at", "credential_id"
  from "account_passkey"
  where "workspace_id" = $1
  and "id" = $2
  and "user_id" = $3;
select "id", "user_id", "name", "rp_id", "backed_up", "created_at", "last_used_at", "credential_id"
  from "account_passkey"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/passkeys.ts hasPasskeys
select "id"
  from "account_passkey"
  where "workspace_id" = $1
  and "user_id" = $2
  limit 1;

-- db/account/passkeys.ts insertChallenge
delete from "account_challenge"
  where "workspace_id" = $1
  and "expires_at" <= now();
insert into "account_challenge" ("workspace_id", "user_id", "challenge", "statement", "expires_at")
  values ($1, $2, $3, $4, statement_timestamp() + make_interval(secs => $5))
  returning "expires_at";

-- db/account/passkeys.ts insertPasskey
insert into "account_passkey" ("algorithm", "backed_up", "counter", "credential_id", "name", "public_key", "rp_id", "user_id", "workspace_id", "id", "transports")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  returning "id", "user_id", "name", "rp_id", "backed_up", "created_at", "last_used_at";

-- db/account/passkeys.ts listCredentials
select "credential_id", "transports", "rp_id"
  from "account_passkey"
  where "workspace_id" = $1
  and "user_id" = $2
  order by "id";

-- db/account/passkeys.ts listPasskeys
select "id", "user_id", "name", "rp_id", "backed_up", "created_at", "last_used_at"
  from "account_passkey"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "user_id", "name", "rp_id", "backed_up", "created_at", "last_used_at"
  from "account_passkey"
  where "workspace_id" = $1
  and "user_id" = $2
  order by "id" desc
  limit 1;

-- db/account/passkeys.ts lockCredential
select "id", "credential_id", "public_key", "algorithm", "counter", "rp_id"
  from "account_passkey"
  where "workspace_id" = $1
  and "user_id" = $2
  and "credential_id" = $3
  for update;

-- db/account/passkeys.ts markUsed
update "account_passkey"
  set "counter" = $1, "last_used_at" = statement_timestamp()
  where "workspace_id" = $2
  and "id" = $3;

-- db/account/passkeys.ts renamePasskey
update "account_passkey"
  set "name" = $1
  where "workspace_id" = $2
  and "user_id" = $3
  and "id" = $4
  returning "id", "user_id", "name", "rp_id", "backed_up", "created_at", "last_used_at";

-- db/account/passkeys.ts takeChallenge
delete from "account_challenge"
  where "workspace_id" = $1
  and "user_id" = $2
  and "challenge" = $3
  and "expires_at" > statement_timestamp()
  returning "statement";

-- db/account/policies.ts findDraft
select "text", "examples", "groups", "digest", "revision", "replayed_digest", "replayed_at", "replay", "updated_by", "updated_at"
  from "account_policy_draft"
  where "workspace_id" = $1;

-- db/account/policies.ts findEnabled
select "version", "text", "examples", "groups", "digest", "replay", "enabled_by", "enabled_at"
  from "account_policy_version"
  where "workspace_id" = $1
  order by "version" desc
  limit 1;

-- db/account/policies.ts findEnabledVersion
select max("version") as "version"
  from "account_policy_version"
  where "workspace_id" = $1;

-- db/account/policies.ts findJudging
select (select max("version") as "version"
  from "account_policy_version"
  where "workspace_id" = $1) as "version", (select string_agg(group_id::text, ',') as "ids"
  from "account_group_member"
  where "workspace_id" = $2
  and "user_id" = $3) as "groups", statement_timestamp() as "now";

-- db/account/policies.ts findVersion
select "version", "text", "examples", "groups", "digest", "replay", "enabled_by", "enabled_at"
  from "account_policy_version"
  where "workspace_id" = $1
  and "version" = $2;

-- db/account/policies.ts insertVersion
select "version", "text", "examples", "groups", "digest", "replay", "enabled_by", "enabled_at"
  from "account_policy_version"
  where "workspace_id" = $1
  order by "version" desc
  limit 1;
insert into "account_policy_version" ("workspace_id", "version", "text", "examples", "groups", "digest", "replay", "enabled_by")
  values ($1, $2, $3, $4, $5, $6, $7, $8);
select pg_notify($1, $2) as "notified";

-- db/account/policies.ts listGroupNames
select "id", "name"
  from "account_group"
  where "workspace_id" = $1;

-- db/account/policies.ts listMemberships
select "user_id", "group_id"
  from "account_group_member"
  where "workspace_id" = $1
  order by "group_id";

-- db/account/policies.ts listRoles
select "id", "role"
  from "account_user"
  where "workspace_id" = $1;

-- db/account/policies.ts listVersions
select "version", "text", "examples", "groups", "digest", "replay", "enabled_by", "enabled_at"
  from "account_policy_version"
  where "workspace_id" = $1
  and "version" < $2
  order by "version" desc
  limit 1;
select "version", "text", "examples", "groups", "digest", "replay", "enabled_by", "enabled_at"
  from "account_policy_version"
  where "workspace_id" = $1
  order by "version" desc
  limit 1;

-- db/account/policies.ts lockDraft
select "text", "examples", "groups", "digest", "revision", "replayed_digest", "replayed_at", "replay", "updated_by", "updated_at"
  from "account_policy_draft"
  where "workspace_id" = $1
  for update;

-- db/account/policies.ts saveDraft
update "account_policy_draft"
  set "digest" = $1, "examples" = $2, "groups" = $3, "text" = $4, "updated_by" = $5, "updated_at" = now(), "revision" = "revision" + 1
  where "workspace_id" = $6
  and "revision" = any($7)
  returning "revision";
insert into "account_policy_draft" ("workspace_id", "digest", "examples", "groups", "text", "updated_by", "revision")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict do nothing;
update "account_policy_draft"
  set "digest" = $1, "examples" = $2, "groups" = $3, "text" = $4, "updated_by" = $5, "updated_at" = now(), "revision" = "revision" + 1
  where "workspace_id" = $6
  returning "revision";

-- db/account/policies.ts saveReplay
update "account_policy_draft"
  set "replayed_digest" = $1, "replayed_at" = now(), "replay" = $2
  where "workspace_id" = $3
  and "digest" = $4;

-- db/account/principals.ts findPerson
select "user"."id", "user"."name", "user"."role", "user"."status", ( select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
  from account_binding b
  where b.workspace_id = $1
  and (b.user_id = "user"."id"
  or b.group_id in ( select m.group_id
  from account_group_member m
  where m.workspace_id = $2
  and m.user_id = "user"."id"))) as "bindings"
  from "account_user" as "user"
  where "user"."workspace_id" = $3
  and "user"."id" = $4;

-- db/account/principals.ts findTokenStatus
select "revoked_at", expires_at <= now() as "expired"
  from "account_token"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/principals.ts isTokenRevoked
select "revoked_at"
  from "account_token"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/principals.ts listApprovers
select "u"."id", "u"."name", "u"."role", "u"."status", (select coalesce(json_agg(m.group_id), '[]'::json)
  from account_group_member m
  where m.workspace_id = $1
  and m.user_id = u.id) as "groups", ( select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
  from account_binding b
  where b.workspace_id = $2
  and (b.user_id = "u"."id"
  or b.group_id in ( select m.group_id
  from account_group_member m
  where m.workspace_id = $3
  and m.user_id = "u"."id"))) as "bindings"
  from "account_user" as "u"
  where "u"."workspace_id" = $4
  and "u"."id" = any($5);

-- db/account/principals.ts listDeadCredentials
select "t"."id"
  from "account_token" as "t"
  inner join "account_user" as "u" on "u"."workspace_id" = "t"."workspace_id"
  and "u"."id" = "t"."user_id"
  where "t"."workspace_id" = $1
  and "t"."id" = any($2)
  and "t"."revoked_at" is null
  and "t"."expires_at" > now()
  and "u"."status" = $3
  union all select "s"."id"
  from "account_session" as "s"
  inner join "account_user" as "u" on "u"."workspace_id" = "s"."workspace_id"
  and "u"."id" = "s"."user_id"
  where "s"."workspace_id" = $4
  and "s"."id" = any($5)
  and "s"."ended_at" is null
  and "s"."expires_at" > now()
  and "u"."status" = $6
  and coalesce(s.check_at > now(), true);

-- db/account/principals.ts listGroupNames
select "id", "name"
  from "account_group"
  where "workspace_id" = $1
  and "id" = any($2);

-- db/account/principals.ts listMembersOf
select "u"."id", "u"."name", "u"."role", "u"."status", (select coalesce(json_agg(m.group_id), '[]'::json)
  from account_group_member m
  where m.workspace_id = $1
  and m.user_id = u.id) as "groups", ( select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
  from account_binding b
  where b.workspace_id = $2
  and (b.user_id = "u"."id"
  or b.group_id in ( select m.group_id
  from account_group_member m
  where m.workspace_id = $3
  and m.user_id = "u"."id"))) as "bindings"
  from "account_user" as "u"
  where "u"."workspace_id" = $4
  and "u"."status" = $5
  and "u"."id" in (select "g"."user_id"
  from "account_group_member" as "g"
  where "g"."workspace_id" = $6
  and "g"."group_id" = any($7))
  and position(lower($8) in lower("u"."name")) > 0
  order by "u"."id"
  limit 1;
select "u"."id", "u"."name", "u"."role", "u"."status", (select coalesce(json_agg(m.group_id), '[]'::json)
  from account_group_member m
  where m.workspace_id = $1
  and m.user_id = u.id) as "groups", ( select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
  from account_binding b
  where b.workspace_id = $2
  and (b.user_id = "u"."id"
  or b.group_id in ( select m.group_id
  from account_group_member m
  where m.workspace_id = $3
  and m.user_id = "u"."id"))) as "bindings"
  from "account_user" as "u"
  where "u"."workspace_id" = $4
  and "u"."status" = $5
  and position(lower($6) in lower("u"."name")) > 0
  order by "u"."id"
  limit 1;
select "u"."id", "u"."name", "u"."role", "u"."status", (select coalesce(json_agg(m.group_id), '[]'::json)
  from account_group_member m
  where m.workspace_id = $1
  and m.user_id = u.id) as "groups", ( select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
  from account_binding b
  where b.workspace_id = $2
  and (b.user_id = "u"."id"
  or b.group_id in ( select m.group_id
  from account_group_member m
  where m.workspace_id = $3
  and m.user_id = "u"."id"))) as "bindings"
  from "account_user" as "u"
  where "u"."workspace_id" = $4
  and "u"."status" = $5
  order by "u"."id"
  limit 1;

-- db/account/principals.ts listNames
select "id", "name"
  from "account_user"
  where "workspace_id" = $1
  and "id" = any($2);

-- db/account/principals.ts listSessionOwners
select "session"."hash", "session"."workspace_id", "session"."id" as "session_id", "session"."user_id", "user"."name", "user"."role", "user"."status" as "user_status", ( select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
  from account_binding b
  where b.workspace_id = $1
  and (b.user_id = "session"."user_id"
  or b.group_id in ( select m.group_id
  from account_group_member m
  where m.workspace_id = $2
  and m.user_id = "session"."user_id"))) as "bindings", session.ended_at is null
  and session.expires_at > now()
  and session.idle_expires_at > now() as "live", coalesce(session.check_at <= now(), false) as "due", session.last_used_at < now() - interval '1 minute' as "stale"
  from "account_session" as "session"
  inner join "account_user" as "user" on "user"."workspace_id" = "session"."workspace_id"
  and "user"."id" = "session"."user_id"
  where "session"."workspace_id" = $3
  and session.hash = any($4::bytea[]);

-- db/account/principals.ts listTokenOwners
select "token"."hash", "token"."workspace_id", "token"."id" as "token_id", "token"."user_id", "token"."scopes", "token"."assistant", "token"."resource", "user"."name", "user"."role", "user"."status" as "user_status", ( select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
  from account_binding b
  where b.workspace_id = $1
  and (b.user_id = "token"."user_id"
  or b.group_id in ( select m.group_id
  from account_group_member m
  where m.workspace_id = $2
  and m.user_id = "token"."user_id"))) as "bindings", token.revoked_at is not null as "revoked", least(token.expires_at, token.access_until) <= now() as "expired", coalesce(token.last_used_at < now() - interval '1 minute', true) as "stale"
  from "account_token" as "token"
  inner join "account_user" as "user" on "user"."workspace_id" = "token"."workspace_id"
  and "user"."id" = "token"."user_id"
  where "token"."workspace_id" = $3
  and token.hash = any($4::bytea[]);

-- db/account/principals.ts touchSessions
update "account_session"
  set "last_used_at" = now(), "idle_expires_at" = now() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "id" = any($3);

-- db/account/principals.ts touchTokens
update "account_token"
  set "last_used_at" = now()
  where "workspace_id" = $1
  and "id" = any($2);

-- db/account/projects.ts findProject
select "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at"
  from "account_project"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/projects.ts insertProject
insert into "account_project" ("workspace_id", "id", "name", "description", "created_by")
  values ($1, $2, $3, $4, $5)
  returning "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at";

-- db/account/projects.ts listInstructions
select "p"."id", "i"."text", "i"."revision", "i"."updated_by", "i"."updated_at"
  from "account_project" as "p"
  left join "account_project_instructions" as "i" on "i"."workspace_id" = "p"."workspace_id"
  and "i"."project_id" = "p"."id"
  where "p"."workspace_id" = $1
  and "p"."id" = any($2);

-- db/account/projects.ts listProjects
select "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at"
  from "account_project"
  where "workspace_id" = $1
  and "id" = any($2)
  and position(lower($3) in lower("name")) > 0
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at"
  from "account_project"
  where "workspace_id" = $1
  and "id" = any($2)
  and "archived_at" is null
  and position(lower($3) in lower("name")) > 0
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at"
  from "account_project"
  where "workspace_id" = $1
  and "id" = any($2)
  and "archived_at" is not null
  and position(lower($3) in lower("name")) > 0
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at"
  from "account_project"
  where "workspace_id" = $1
  and "archived_at" is not null
  order by "id" desc
  limit 1;

-- db/account/projects.ts lockProject
select "id"
  from "account_project"
  where "workspace_id" = $1
  and "id" = $2
  for update;

-- db/account/projects.ts saveInstructions
update "account_project_instructions"
  set "text" = $1, "updated_by" = $2, "updated_at" = now(), "revision" = "revision" + 1
  where "workspace_id" = $3
  and "project_id" = $4
  and "revision" = any($5)
  returning "revision";
insert into "account_project_instructions" ("workspace_id", "project_id", "text", "updated_by")
  values ($1, $2, $3, $4)
  on conflict do nothing;
update "account_project_instructions"
  set "text" = $1, "updated_by" = $2, "updated_at" = now(), "revision" = "revision" + 1
  where "workspace_id" = $3
  and "project_id" = $4
  returning "revision";

-- db/account/projects.ts setArchived
update "account_project"
  set "archived_at" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and "archived_at" is not null
  and "revision" = any($4)
  returning "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at";
update "account_project"
  set "archived_at" = now(), "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and "archived_at" is null
  and "revision" = any($3)
  returning "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at";
update "account_project"
  set "archived_at" = now(), "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and "archived_at" is null
  returning "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at";

-- db/account/projects.ts updateProject
update "account_project"
  set "description" = $1, "name" = $2, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $3
  and "id" = $4
  and "revision" = any($5)
  returning "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at";
update "account_project"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  returning "id", "name", "description", "revision", "created_by", "created_at", "updated_at", "archived_at";

-- db/account/sessions.ts claimLink
update "account_link"
  set "used_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and "used_at" is null
  returning "id";

-- db/account/sessions.ts endSession
update "account_session"
  set "ended_at" = least("ended_at", now())
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3
  returning "id";

-- db/account/sessions.ts endSessionByHash
update "account_session"
  set "ended_at" = now()
  where "workspace_id" = $1
  and "hash" = $2
  and "ended_at" is null;

-- db/account/sessions.ts endSessionsOf
update "account_session"
  set "ended_at" = now()
  where "workspace_id" = $1
  and "user_id" = $2
  and "ended_at" is null;

-- db/account/sessions.ts findLetInBy
select "let_in_by"
  from "account_token"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/sessions.ts findLink
select "id", "user_id", "purpose", "issued_by", used_at is not null as "used", expires_at <= now() as "expired"
  from "account_link"
  where "workspace_id" = $1
  and "hash" = $2;

-- db/account/sessions.ts hasLiveSession
select "id"
  from "account_session"
  where "workspace_id" = $1
  and "user_id" = $2
  and "ended_at" is null
  and "expires_at" > now()
  and "idle_expires_at" > now()
  limit 1;

-- db/account/sessions.ts insertLink
insert into "account_link" ("hash", "issued_by", "purpose", "user_id", "workspace_id", "id", "expires_at")
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
  returning "expires_at";

-- db/account/sessions.ts insertSession
insert into "account_session" ("hash", "let_in_by", "user_agent", "user_id", "workspace_id", "id", "idle_expires_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), now() + make_interval(secs => $8));

-- db/account/sessions.ts listSessions
select "id", "user_agent", "created_at", "last_used_at", "idle_expires_at", "expires_at"
  from "account_session"
  where "workspace_id" = $1
  and "user_id" = $2
  and "ended_at" is null
  and "expires_at" > now()
  and "idle_expires_at" > now()
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "user_agent", "created_at", "last_used_at", "idle_expires_at", "expires_at"
  from "account_session"
  where "workspace_id" = $1
  and "user_id" = $2
  and "ended_at" is null
  and "expires_at" > now()
  and "idle_expires_at" > now()
  order by "id" desc
  limit 1;

-- db/account/sessions.ts voidLinks
update "account_link"
  set "used_at" = now()
  where "workspace_id" = $1
  and "used_at" is null
  and "purpose" = $2;
update "account_link"
  set "used_at" = now()
  where "workspace_id" = $1
  and "used_at" is null
  and "user_id" = $2;

-- db/account/tokens.ts countDelegations
select "id"
  from "account_delegation"
  where "workspace_id" = $1
  and "from_user_id" = $2
  and "revoked_at" is null
  and "until" > statement_timestamp();

-- db/account/tokens.ts findClock
select now() as "now", (select "expires_at"
  from "account_token"
  where "workspace_id" = $1
  and "id" = $2) as "end";

-- db/account/tokens.ts insertDelegation
insert into "account_delegation" ("workspace_id", "id", "from_user_id", "to_user_id", "until")
  values ($1, $2, $3, $4, $5)
  returning "id", "from_user_id", "to_user_id", "until", "revoked_at", "created_at";

-- db/account/tokens.ts insertToken
insert into "account_token" ("assistant", "expires_at", "hash", "let_in_by", "name", "prefix", "scopes", "user_id", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  returning "id", "user_id", "name", "prefix", "scopes", "assistant", "expires_at", "revoked_at", "last_used_at", "created_at";
insert into "account_token" ("assistant", "expires_at", "hash", "name", "prefix", "scopes", "user_id", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  returning "id", "user_id", "name", "prefix", "scopes", "assistant", "expires_at", "revoked_at", "last_used_at", "created_at";

-- db/account/tokens.ts listDelegations
select "id", "from_user_id", "to_user_id", "until", "revoked_at", "created_at"
  from "account_delegation"
  where "workspace_id" = $1
  and ("from_user_id" = $2
  or "to_user_id" = $3)
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "from_user_id", "to_user_id", "until", "revoked_at", "created_at"
  from "account_delegation"
  where "workspace_id" = $1
  and "id" < $2
  order by "id" desc
  limit 1;
select "id", "from_user_id", "to_user_id", "until", "revoked_at", "created_at"
  from "account_delegation"
  where "workspace_id" = $1
  order by "id" desc
  limit 1;

-- db/account/tokens.ts listDelegators
select distinct "from_user_id"
  from "account_delegation"
  where "workspace_id" = $1
  and "to_user_id" = $2
  and "revoked_at" is null
  and "until" > statement_timestamp()
  order by "from_user_id";

-- db/account/tokens.ts listTokens
select "id", "user_id", "name", "prefix", "scopes", "assistant", "expires_at", "revoked_at", "last_used_at", "created_at"
  from "account_token"
  where "workspace_id" = $1
  and "resource" is null
  and user_id = $2::uuid
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "user_id", "name", "prefix", "scopes", "assistant", "expires_at", "revoked_at", "last_used_at", "created_at"
  from "account_token"
  where "workspace_id" = $1
  and "resource" is null
  and true
  and "id" < $2
  order by "id" desc
  limit 1;
select "id", "user_id", "name", "prefix", "scopes", "assistant", "expires_at", "revoked_at", "last_used_at", "created_at"
  from "account_token"
  where "workspace_id" = $1
  and "resource" is null
  and true
  order by "id" desc
  limit 1;

-- db/account/tokens.ts revokeDelegation
select "id"
  from "account_delegation"
  where "workspace_id" = $1
  and "id" = $2
  and "from_user_id" = $3;
select "id"
  from "account_delegation"
  where "workspace_id" = $1
  and "id" = $2;
update "account_delegation"
  set "revoked_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and "revoked_at" is null;

-- db/account/tokens.ts revokeToken
update "account_token"
  set "revoked_at" = least("revoked_at", now())
  where "workspace_id" = $1
  and "id" = $2
  and user_id = $3::uuid
  returning "id";
update "account_token"
  set "revoked_at" = least("revoked_at", now())
  where "workspace_id" = $1
  and "id" = $2
  and true
  returning "id";

-- db/account/users.ts findFirstAdmin
select "id"
  from "account_user"
  where "workspace_id" = $1
  and "role" = $2
  and "status" = $3
  order by "created_at", "id"
  limit 1;

-- db/account/users.ts findUser
select "id", "name", "email", "role", "status", "revision", "first_sign_in_at", "created_at", "updated_at"
  from "account_user"
  where "workspace_id" = $1
  and "id" = $2;

-- db/account/users.ts hasActiveAdmin
select "id"
  from "account_user"
  where "workspace_id" = $1
  and "role" = $2
  and "status" = $3
  limit 1;

-- db/account/users.ts hasAdminSignedIn
select "id"
  from "account_user"
  where "workspace_id" = $1
  and "role" = $2
  and "first_sign_in_at" is not null
  limit 1;

-- db/account/users.ts insertUser
insert into "account_user" ("workspace_id", "id", "name", "email", "role", "status")
  values ($1, $2, $3, $4, $5, $6)
  returning "id", "name", "email", "role", "status", "revision", "first_sign_in_at", "created_at", "updated_at";

-- db/account/users.ts listNames
select "id", "name"
  from "account_user"
  where "workspace_id" = $1
  and "status" = $2
  and position(lower($3) in lower("name")) > 0
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "name"
  from "account_user"
  where "workspace_id" = $1
  and "status" = $2
  order by "id" desc
  limit 1;

-- db/account/users.ts listUsers
select "id", "name", "email", "role", "status", "revision", "first_sign_in_at", "created_at", "updated_at"
  from "account_user"
  where "workspace_id" = $1
  and position(lower($2) in lower("name")) > 0
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "name", "email", "role", "status", "revision", "first_sign_in_at", "created_at", "updated_at"
  from "account_user"
  where "workspace_id" = $1
  order by "id" desc
  limit 1;

-- db/account/users.ts recordSignIn
update "account_user"
  set "first_sign_in_at" = least("first_sign_in_at", now())
  where "workspace_id" = $1
  and "id" = $2
  and "status" = $3
  returning "id", "name", "email", "role", "status", "revision", "first_sign_in_at", "created_at", "updated_at";

-- db/account/users.ts updateUser
update "account_user"
  set "name" = $1, "role" = $2, "status" = $3, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $4
  and "id" = $5
  and "revision" = any($6)
  returning "id", "name", "email", "role", "status", "revision", "first_sign_in_at", "created_at", "updated_at";
update "account_user"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  returning "id", "name", "email", "role", "status", "revision", "first_sign_in_at", "created_at", "updated_at";

-- db/account/workspace.ts findOrCreateWorkspace
select "workspace"."id" as "workspace_id", "admin"."id" as "admin_id"
  from "workspace"
  inner join "account_user" as "admin" on "admin"."workspace_id" = "workspace"."id"
  where "admin"."role" = $1
  and "admin"."status" = $2
  and workspace.is_first
  order by "admin"."created_at", "admin"."id";
begin;
select pg_advisory_xact_lock(hashtext('steward.workspace'));
select "workspace"."id" as "workspace_id", "admin"."id" as "admin_id"
  from "workspace"
  inner join "account_user" as "admin" on "admin"."workspace_id" = "workspace"."id"
  where "admin"."role" = $1
  and "admin"."status" = $2
  order by "workspace"."created_at", "admin"."created_at", "admin"."id";
insert into "workspace" ("id", "name", "is_first")
  values ($1, $2, $3);
insert into "account_user" ("workspace_id", "id", "name", "email", "role", "status")
  values ($1, $2, $3, $4, $5, $6);
commit;
select "workspace"."id" as "workspace_id", "admin"."id" as "admin_id"
  from "workspace"
  inner join "account_user" as "admin" on "admin"."workspace_id" = "workspace"."id"
  where "admin"."role" = $1
  and "admin"."status" = $2
  and ((workspace.is_first)
  and "workspace"."id" = any($3::uuid[])
  and "admin"."workspace_id" = any($4::uuid[]))
  order by "admin"."created_at", "admin"."id";

-- db/account/workspace.ts findWorkspace
select "id", "name", "hosts", "revision", "created_at", "updated_at"
  from "workspace"
  where "id" = $1;

-- db/account/workspace.ts lockWorkspace
select "id"
  from "workspace"
  where "id" = $1 for no key update;

-- db/account/workspace.ts updateWorkspace
update "workspace"
  set "name" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "id" = $2
  and "revision" = any($3)
  returning "id", "name", "hosts", "revision", "created_at", "updated_at";
update "workspace"
  set "name" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "id" = $2
  returning "id", "name", "hosts", "revision", "created_at", "updated_at";

-- db/account/workspaces.ts announceWorkspaces
select pg_notify($1, '') as "notified";

-- db/account/workspaces.ts findTakenHost
select "hosts"
  from "workspace"
  where hosts && $1::text[]
  and "id" <> $2
  limit 1;
select "hosts"
  from "workspace"
  where hosts && $1::text[]
  limit 1;

-- db/account/workspaces.ts findWorkspaceById
select "id", "name", "hosts", "revision", "created_at", "updated_at", "settings", model_api_key is not null as "has_model_api_key"
  from "workspace"
  where "id" = $1
  and "deleted_at" is null;

-- db/account/workspaces.ts hasWorkspace
select "id"
  from "workspace"
  where "id" = $1;

-- db/account/workspaces.ts insertWorkspace
insert into "workspace" ("id", "name", "hosts")
  values ($1, $2, $3)
  returning "id", "name", "hosts", "revision", "created_at", "updated_at", "settings", model_api_key is not null as "has_model_api_key";

-- db/account/workspaces.ts keepFreeHosts
select "hosts"
  from "workspace"
  where "id" <> $1
  and hosts && $2::text[];
update "workspace"
  set "hosts" = $1
  where "id" = $2;

-- db/account/workspaces.ts listOwn
select "id", "hosts", "settings", "model_api_key", "model_connection"
  from "workspace"
  where (hosts <> '{}'
  or settings::text <> '{}'
  or model_api_key is not null
  or model_connection is not null);
select "id", "hosts", "settings", "model_api_key", "model_connection"
  from "workspace"
  where (((hosts <> '{}'
  or settings::text <> '{}'
  or model_api_key is not null
  or model_connection is not null))
  and "id" = any($1::uuid[]));

-- db/account/workspaces.ts listWorkspaces
select "id", "name", "hosts", "revision", "created_at", "updated_at", "settings", model_api_key is not null as "has_model_api_key"
  from "workspace"
  where "deleted_at" is null
  and "id" < $1
  order by "id" desc
  limit 1;
select "id", "name", "hosts", "revision", "created_at", "updated_at", "settings", model_api_key is not null as "has_model_api_key"
  from "workspace"
  where "deleted_at" is null
  order by "id" desc
  limit 1;

-- db/account/workspaces.ts lockHosts
select pg_advisory_xact_lock(hashtextextended($1, 0));

-- db/account/workspaces.ts lockSettings
select "settings"
  from "workspace"
  where "id" = $1 for no key update;

-- db/account/workspaces.ts setModelConnection
update "workspace"
  set "model_connection" = $1
  where "id" = $2;
select pg_notify($1, '') as "notified";

-- db/account/workspaces.ts updateWorkspaceById
update "workspace"
  set "name" = $1, "hosts" = $2, "settings" = $3, "model_api_key" = $4, "revision" = "revision" + 1, "updated_at" = now()
  where "id" = $5
  and "deleted_at" is null
  and "revision" = any($6)
  returning "id", "name", "hosts", "revision", "created_at", "updated_at", "settings", model_api_key is not null as "has_model_api_key";
update "workspace"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "id" = $1
  and "deleted_at" is null
  returning "id", "name", "hosts", "revision", "created_at", "updated_at", "settings", model_api_key is not null as "has_model_api_key";

-- db/agent/attachments.ts bindAttachments
insert into "agent_session_attachment" ("workspace_id", "session_id", "attachment_id")
  values ($1, $2, $3)
  on conflict do nothing;
update "agent_attachment"
  set "sent" = $1
  where "workspace_id" = $2
  and "id" = any($3)
  and "sent" = $4;
insert into "agent_session_attachment" ()
  values
  on conflict do nothing;

-- db/agent/attachments.ts copyAttachments
insert into "agent_session_attachment" ("workspace_id", "session_id", "attachment_id") select "workspace_id", $1::uuid as "session_id", "attachment_id"
  from "agent_session_attachment"
  where "workspace_id" = $2
  and "session_id" = $3;

-- db/agent/attachments.ts deleteUnused
delete from "agent_attachment"
  where "sent" = false
  and created_at < now() - interval '7 days';
delete from "agent_attachment"
  where "sent" = false
  and ((created_at < now() - interval '7 days')
  and "workspace_id" = any($1::uuid[]));

-- db/agent/attachments.ts findAttachment
select "id", "name", "kind", "media_type", "size", "tokens", "data"
  from "agent_attachment"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3;

-- db/agent/attachments.ts insertAttachment
insert into "agent_attachment" ("data", "id", "kind", "media_type", "name", "size", "tokens", "user_id", "workspace_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  returning "id", "name", "kind", "media_type", "size", "tokens";

-- db/agent/attachments.ts listAttachments
select "id", "name", "kind", "media_type", "size", "tokens"
  from "agent_attachment"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = any($3);

-- db/agent/attachments.ts purgeAttachments
select "attachment_id" as "id"
  from "agent_session_attachment"
  where "workspace_id" = $1
  and "session_id" = $2;
select "id"
  from "agent_attachment"
  where "workspace_id" = $1
  and "id" = any($2)
  order by "id"
  for update;
delete from "agent_session_attachment"
  where "workspace_id" = $1
  and "session_id" = $2;
delete from "agent_attachment" as "a"
  where "a"."workspace_id" = $1
  and "a"."id" = any($2)
  and not exists (select "u"."attachment_id"
  from "agent_session_attachment" as "u"
  where "u"."workspace_id" = $3
  and "u"."attachment_id" = "a"."id");

-- db/agent/attachments.ts readAttachments
select "id", "data"
  from "agent_attachment"
  where "workspace_id" = $1
  and "id" = any($2);

-- db/agent/attachments.ts sumAttachments
select coalesce(sum("size"), 0)::bigint as "size"
  from "agent_attachment"
  where "workspace_id" = $1
  and "user_id" = $2;

-- db/agent/calls.ts allowCall
update "agent_tool_call"
  set "status" = $1, "decided_by" = $2, "tool_version" = $3, "effective_input" = $4, "input_digest" = $5
  where "workspace_id" = $6
  and "id" = $7
  and "status" in ($8, $9);

-- db/agent/calls.ts claimCall
begin;
select steward_timeline() as timeline, set_config('statement_timeout', '0', true), set_config('synchronous_commit', case when current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then 'on' else current_setting('synchronous_commit') end, true);
update agent_tool_call as call
  set status = 'dispatching', claim_epoch = $1, dispatched_at = statement_timestamp()
  where call.workspace_id = $2
  and call.id = $3
  and call.status in ('approved', 'auto_approved')
  and exists (select 1
  from agent_run run
  where run.workspace_id = $4
  and run.id = call.run_id
  and run.status = 'running'
  and run.lease_epoch = $5
  and run.cancel_requested_at is null)
  and not exists ((select "id"
  from "agent_confirmation"
  where "workspace_id" = $6
  and "tool_call_id" = $7
  and "status" = $8
  and coalesce("timeline" <> $9::text, false)))
  and not exists ((select "c"."id"
  from "agent_tool_call" as "c"
  inner join "agent_run" as "r" on "r"."workspace_id" = "c"."workspace_id"
  and "r"."id" = "c"."run_id"
  where "c"."workspace_id" = $10
  and "c"."id" = $11
  and ("c"."decided_by" like 'policy:%'
  or "c"."decided_by" like 'grant:%')
  and coalesce("r"."timeline" <> $12::text, false)))
  returning call.id;
commit;
insert into "audit" ("id", "kind", "operation", "outcome", "remote_address", "request_id", "status", "target", "user_id", "via", "via_id", "workspace_id", "write_id", "body")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);
insert into "audit" ("id", "operation", "outcome", "request_id", "via", "workspace_id")
  values ($1, $2, $3, $4, $5, $6);

-- db/agent/calls.ts findAutoFacts
select steward_timeline() as "timeline";
select exists (select "id"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "name" = $3
  and effective_input::text = $4
  and "status" = $5) as "is_unknown", exists (select "id"
  from "agent_run"
  where "workspace_id" = $6
  and "id" = $7
  and coalesce("timeline" <> $8::text, false)) as "is_before_failover";

-- db/agent/calls.ts findEditedCall
select "c"."arguments", c.proposed->'arguments' as "proposed", coalesce(c.authors->>-1, c.user_id::text) as "by"
  from "agent_confirmation" as "c"
  inner join "agent_tool_call" as "t" on "t"."workspace_id" = "c"."workspace_id"
  and "t"."id" = "c"."tool_call_id"
  where "t"."workspace_id" = $1
  and "t"."session_id" = $2
  and "t"."name" = $3
  and "t"."effect" = $4
  and "c"."status" = $5
  and "c"."proposed" is not null
  and coalesce(target->>'kind' = $6
  and target->>'id' = $7, false)
  order by "c"."id" desc
  limit 1;

-- db/agent/calls.ts findProposalFacts
select steward_timeline() as "timeline";
select exists (select "id"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "name" = $3
  and effective_input::text = $4
  and "status" in ($5, $6)) as "sent_before", exists (select "id"
  from "agent_run"
  where "workspace_id" = $7
  and "id" = $8
  and coalesce("timeline" <> $9::text, false)) as "is_before_failover", (select coalesce(last.thread_id, last.id) as "thread_id"
  from (select "id", "thread_id", "changes"
  from "agent_confirmation"
  where "workspace_id" = $10
  and "run_id" = $11
  and "name" = $12
  order by coalesce(target->>'kind' = $13
  and target->>'id' = $14, false) desc, "id" desc
  limit 1) as "last"
  where "last"."changes" is not null) as "thread_id", statement_timestamp() + make_interval(secs => $15) as "expires_at";
select exists (select "id"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "name" = $3
  and effective_input::text = $4
  and "status" in ($5, $6)) as "sent_before", exists (select "id"
  from "agent_run"
  where "workspace_id" = $7
  and "id" = $8
  and coalesce("timeline" <> $9::text, false)) as "is_before_failover", (select coalesce(last.thread_id, last.id) as "thread_id"
  from (select "id", "thread_id", "changes"
  from "agent_confirmation"
  where "workspace_id" = $10
  and "run_id" = $11
  and "name" = $12
  order by "id" desc
  limit 1) as "last"
  where "last"."changes" is not null) as "thread_id", statement_timestamp() + make_interval(secs => $13) as "expires_at";

-- db/agent/calls.ts isBeforeFailover
select steward_timeline() as "timeline";
select "id"
  from "agent_confirmation"
  where "workspace_id" = $1
  and "tool_call_id" = $2
  and "status" = $3
  and coalesce("timeline" <> $4::text, false);
select "c"."id"
  from "agent_tool_call" as "c"
  inner join "agent_run" as "r" on "r"."workspace_id" = "c"."workspace_id"
  and "r"."id" = "c"."run_id"
  where "c"."workspace_id" = $1
  and "c"."id" = $2
  and ("c"."decided_by" like 'policy:%'
  or "c"."decided_by" like 'grant:%')
  and coalesce("r"."timeline" <> $3::text, false);

-- db/agent/calls.ts listCalls
select "id", "message_id", "step", "ordinal", "tool_use_id", "name", "tool_version", "effect", "input", "effective_input", "input_digest", "status", "decided_by", "idempotency_key", "claim_epoch", "dispatched_at", "http_status", "result", "result_model", "truncated", "is_error", "finished_at"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "run_id" = $2
  order by "step", "ordinal";

-- db/agent/calls.ts listOutcomes
select "id", "status", "finished_at"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "id" in ($2);
select "id", "status", "finished_at"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "id" in ();

-- db/agent/calls.ts listSessionCalls
select "id", "message_id", "step", "ordinal", "tool_use_id", "name", "tool_version", "effect", "input", "effective_input", "input_digest", "status", "decided_by", "idempotency_key", "claim_epoch", "dispatched_at", "http_status", "result", "result_model", "truncated", "is_error", "finished_at"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "message_id" in ($3)
  order by "ordinal";

-- db/agent/calls.ts reclaimCall
begin;
select steward_timeline() as timeline, set_config('statement_timeout', '0', true), set_config('synchronous_commit', case when current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then 'on' else current_setting('synchronous_commit') end, true);
update agent_tool_call as call
  set claim_epoch = $1
  where call.workspace_id = $2
  and call.id = $3
  and call.status = 'dispatching'
  and call.claim_epoch < $4
  and exists (select 1
  from agent_run run
  where run.workspace_id = $5
  and run.id = call.run_id
  and run.status = 'running'
  and run.lease_epoch = $6)
  and not exists ((select "id"
  from "agent_confirmation"
  where "workspace_id" = $7
  and "tool_call_id" = $8
  and "status" = $9
  and coalesce("timeline" <> $10::text, false)))
  and not exists ((select "c"."id"
  from "agent_tool_call" as "c"
  inner join "agent_run" as "r" on "r"."workspace_id" = "c"."workspace_id"
  and "r"."id" = "c"."run_id"
  where "c"."workspace_id" = $11
  and "c"."id" = $12
  and ("c"."decided_by" like 'policy:%'
  or "c"."decided_by" like 'grant:%')
  and coalesce("r"."timeline" <> $13::text, false)))
  returning call.id;
commit;
insert into "audit" ("id", "kind", "operation", "outcome", "remote_address", "request_id", "status", "target", "user_id", "via", "via_id", "workspace_id", "write_id", "body")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);
insert into "audit" ("id", "operation", "outcome", "request_id", "via", "workspace_id")
  values ($1, $2, $3, $4, $5, $6);

-- db/agent/commit-run.ts commitRun
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($12::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($13::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($8::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($6::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($7::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($8::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($12::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($7::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($8::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), closed as ( update agent_confirmation
  set status = 'closed', close_reason = coalesce(fence.reason, 'run_' || fence.status)
  from fence
  where (agent_confirmation.workspace_id = $1::uuid
  or $4::boolean)
  and agent_confirmation.workspace_id = fence.workspace
  and agent_confirmation.run_id = fence.run
  and agent_confirmation.status = $12
  and fence.status in ('completed', 'failed', 'cancelled', 'expired')), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($13::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($14::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($6::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session) select run
  from fence;

-- db/agent/commit-run.ts commitRuns
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($12::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($13::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($8::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($6::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($7::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($8::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($12::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($7::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($8::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($9::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($10::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($11::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($12::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;
with given as materialized ( select $1::uuid as workspace, now() as at, g.*
  from json_to_recordset($2::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint, status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint, since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = $3), fence as ( update agent_run
  set error = given.error, status = case when given.status = 'awaiting_confirmation'
  and cancel_requested_at is not null then 'ready' else given.status end, reason = coalesce(given.reason, case when given.status not in ('completed', 'failed', 'cancelled', 'expired') then agent_run.reason end), position = given.position, step = step + given.steps, attempts = case when given.status = 'running' then attempts else 0 end, lease_owner = case when given.status = 'running' then lease_owner end, lease_until = case when given.status = 'running' then lease_until end, finished_at = case when given.status in ('completed', 'failed', 'cancelled', 'expired') then given.at end
  from given
  where (agent_run.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = given.workspace
  and agent_run.id = given.run
  and lease_epoch = given.epoch
  and agent_run.status = $5
  returning given.*, agent_run.principal), sessions as ( update agent_session
  set next_message = greatest(next_message, fence.next), spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since), context_tokens = coalesce(fence.tokens, context_tokens), context_characters = coalesce(fence.characters, context_characters), last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where (agent_session.workspace_id = $1::uuid
  or $4::boolean)
  and workspace_id = fence.workspace
  and agent_session.id = fence.session
  and fence.changes_session), messages as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, compaction) select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text, m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset($6::json) as m(run uuid, id uuid, seq bigint, role text, content json, search_text text, stop_reason text, model text, compaction json) on m.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), replaced as ( update agent_message
  set sent = r.sent
  from (select fence.workspace, fence.session, r.*
  from fence join json_to_recordset($7::json) as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where (agent_message.workspace_id = $1::uuid
  or $4::boolean)
  and agent_message.workspace_id = r.workspace
  and agent_message.session_id = r.session
  and agent_message.seq = r.seq), calls as ( insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, is_error, finished_at) select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end, case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then fence.at end
  from fence join json_to_recordset($8::json) as c(run uuid, id uuid, message_id uuid, step integer, ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json, input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json, result_model text, is_error boolean) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), endings as ( update agent_tool_call
  set status = e.status, http_status = e.http_status, result = e.result, result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.*
  from fence join json_to_recordset($9::json) as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean, is_error boolean) on e.run = fence.run offset 0) as e
  where (agent_tool_call.workspace_id = $1::uuid
  or $4::boolean)
  and agent_tool_call.workspace_id = e.workspace
  and agent_tool_call.id = e.id
  and agent_tool_call.run_id = e.run
  and agent_tool_call.session_id = e.session), confirmations as ( insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments, target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id, requirement, expires_at) select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run, c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons, c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset($10::json) as c(run uuid, id uuid, kind text, tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text, risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json, expires_at timestamptz) on c.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), used as ( insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id) select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat', u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence join json_to_recordset($11::json) as u(run uuid, id uuid, model text, input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint, cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), closed as ( update agent_confirmation
  set status = 'closed', close_reason = coalesce(fence.reason, 'run_' || fence.status)
  from fence
  where (agent_confirmation.workspace_id = $1::uuid
  or $4::boolean)
  and agent_confirmation.workspace_id = fence.workspace
  and agent_confirmation.run_id = fence.run
  and agent_confirmation.status = $12
  and fence.status in ('completed', 'failed', 'cancelled', 'expired')), events as ( insert into stream_event (workspace_id, stream_id, position, event, data) select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset($13::json) as e(run uuid, position bigint, event text, data json) on e.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  on conflict do nothing), recorded as ( insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status, request_id, body) select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target, a.outcome, a.status, a.run::text, case when a.kind = 'asked' then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset($14::json) as a(run uuid, id uuid, kind text, write_id uuid, operation text, target text, outcome text, status integer, body json) on a.run = fence.run, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select run
  from fence;

-- db/agent/commit-run.ts lockRun
select "id"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  for update;

-- db/agent/confirmations.ts decideCall
update "agent_tool_call"
  set "status" = $1, "decided_by" = $2, "effective_input" = $3, "input_digest" = $4
  where "workspace_id" = $5
  and "id" = $6
  and "status" = $7;
update "agent_tool_call"
  set "status" = $1, "decided_by" = $2
  where "workspace_id" = $3
  and "id" = $4
  and "status" = $5;

-- db/agent/confirmations.ts decideConfirmation
update "agent_confirmation"
  set "status" = $1, "reason" = $2, "changes" = $3, "decided_by" = $4, "decided_at" = statement_timestamp(), "draft" = $5, "arguments" = $6, "target" = $7, "facts" = $8, "summary" = $9, "preview" = $10, "risk" = $11, "risk_reasons" = $12, "input_digest" = $13, "proposed" = $14, "authors" = $15
  where "workspace_id" = $16
  and "id" = $17
  and "status" = $18
  and "expires_at" > statement_timestamp()
  returning "decided_at";
update "agent_confirmation"
  set "status" = $1, "reason" = $2, "decided_by" = $3, "decided_at" = statement_timestamp(), "draft" = $4
  where "workspace_id" = $5
  and "id" = $6
  and "status" = $7
  and "expires_at" > statement_timestamp()
  returning "decided_at";

-- db/agent/confirmations.ts expireConfirmations
begin;
select "id"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  for update;
update "agent_confirmation"
  set "status" = $1
  where "workspace_id" = $2
  and "run_id" = $3
  and "status" = $4
  and "expires_at" <= statement_timestamp()
  returning "tool_call_id";
commit;
update "agent_tool_call"
  set "status" = $1
  where "workspace_id" = $2
  and "id" in ($3)
  and "status" = $4;
update "agent_run"
  set "status" = $1, "attempts" = $2, "wake_at" = now()
  where "workspace_id" = $3
  and "id" = $4
  and "status" = $5;
select pg_notify($1, $2) as "notified";

-- db/agent/confirmations.ts findApproved
select "c"."session_id", "c"."name", "c"."arguments", "c"."target", "c"."summary", "c"."preview", "c"."risk", "c"."requirement", "c"."decided_at", "c"."user_id" as "requested_by", "s"."kind", c.decided_at > statement_timestamp() - interval '10 minutes' as "is_recent"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "c"."id" = $2
  and "c"."kind" = $3
  and "c"."status" = $4
  and "c"."decided_by" = $5
  and "s"."deleted_at" is null;

-- db/agent/confirmations.ts findCall
select "id", "name", "status", "input", "effective_input", "input_digest"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "id" = $2;

-- db/agent/confirmations.ts findConfirmation
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "c"."id" = $2
  and "s"."deleted_at" is null;

-- db/agent/confirmations.ts findConfirmationOfCall
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "c"."user_id" = $2
  and "c"."tool_call_id" = $3
  order by "c"."id" desc;

-- db/agent/confirmations.ts findExpired
select (select coalesce(json_agg(agg), '[]')
  from (select distinct "workspace_id", "run_id"
  from "agent_confirmation"
  where "status" in ('pending')
  and "expires_at" <= now()
  limit 1) as agg) as "due", (select (extract(epoch
  from min(expires_at) - now()) * 1000)::float8 as "ms"
  from "agent_confirmation"
  where "status" in ('pending')
  and "expires_at" > now()) as "next_ms";
select (select coalesce(json_agg(agg), '[]')
  from (select distinct "workspace_id", "run_id"
  from "agent_confirmation"
  where (("status" in ('pending'))
  and "workspace_id" = any($1::uuid[]))
  and "expires_at" <= now()
  limit 1) as agg) as "due", (select (extract(epoch
  from min(expires_at) - now()) * 1000)::float8 as "ms"
  from "agent_confirmation"
  where (("status" in ('pending'))
  and "workspace_id" = any($2::uuid[]))
  and "expires_at" > now()) as "next_ms";

-- db/agent/confirmations.ts listRunConfirmations
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", "c"."announced"
  from "agent_confirmation" as "c"
  where "c"."workspace_id" = $1
  and "c"."run_id" = $2
  order by "c"."requested_at", "c"."id";

-- db/agent/confirmations.ts lockConfirmation
select "r"."id", "r"."status", "r"."session_id", "r"."reason", "r"."cancel_requested_at"
  from "agent_run" as "r"
  inner join "agent_confirmation" as "c" on "c"."workspace_id" = "r"."workspace_id"
  and "c"."run_id" = "r"."id"
  where "c"."workspace_id" = $1
  and "c"."session_id" = $2
  and "c"."id" = $3
  for update of "r";
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", c.expires_at <= statement_timestamp() as "expired"
  from "agent_confirmation" as "c"
  where "c"."workspace_id" = $1
  and "c"."id" = $2;

-- db/agent/confirmations.ts selectConfirmations
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated"
  from "agent_confirmation" as "c"
  where "c"."workspace_id" = $1;

-- db/agent/confirmations.ts selectTitled
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1;

-- db/agent/confirmations.ts wakeRun
update "agent_run"
  set "status" = $1, "attempts" = $2, "wake_at" = now()
  where "workspace_id" = $3
  and "id" = $4
  and "status" = $5;
select "id"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  and "status" = $3;
select pg_notify($1, $2) as "notified";

-- db/agent/context.ts listCallFacts
select "id", "name", "status", "created_at", left(coalesce(effective_input, input)::text, 300) as "args", left(result::text, 2000) as "result"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "effect" = $3
  and "status" in ('unknown', 'timed_out', 'dispatching', 'approved', 'auto_approved', 'awaiting')
  order by "created_at" desc, "id" desc
  limit $4;
select "id", "name", "status", "created_at", left(coalesce(effective_input, input)::text, 300) as "args", left(result::text, 2000) as "result"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "effect" = $3
  and not "status" in ('unknown', 'timed_out', 'dispatching', 'approved', 'auto_approved', 'awaiting')
  order by "created_at" desc, "id" desc
  limit $4;
select "id", "name", "status", "created_at", left(coalesce(effective_input, input)::text, 300) as "args", left(result::text, 2000) as "result"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "effect" = $3
  and "status" = $4
  order by "created_at" desc, "id" desc
  limit 100;

-- db/agent/context.ts listCallGists
select "id", "tool_use_id", "name", "status", left(coalesce(effective_input, input)::text, 300) as "args"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "message_id" in ($3);

-- db/agent/context.ts listDecisions
select "tool_call_id", "status", "summary", "reason", "decided_at"
  from "agent_confirmation"
  where "workspace_id" = $1
  and "tool_call_id" in ($2)
  order by "id";

-- db/agent/context.ts listWords
select "seq", left(search_text, 8000) as "text", content->0->>'text' as "context"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and "role" = $3
  and "search_text" != $4
  order by "seq" desc
  limit 1;
select "seq", left(search_text, 8000) as "text", content->0->>'text' as "context"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and "role" = $3
  and "search_text" != $4
  order by "seq"
  limit 1;

-- db/agent/feedback.ts addShare
insert into "agent_share" ("workspace_id", "session_id")
  values ($1, $2)
  on conflict do nothing;

-- db/agent/feedback.ts deleteFeedback
delete from "agent_feedback"
  where "workspace_id" = $1
  and "session_id" = $2
  and "message_id" = $3;

-- db/agent/feedback.ts deleteShare
delete from "agent_share"
  where "workspace_id" = $1
  and "session_id" = $2;

-- db/agent/feedback.ts findShared
select "s"."id", "s"."title", "s"."user_id", "s"."created_at", "s"."last_activity_at", "a"."created_at" as "shared_at"
  from "agent_share" as "a"
  inner join "agent_session" as "s" on "s"."workspace_id" = "a"."workspace_id"
  and "s"."id" = "a"."session_id"
  where "a"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "a"."session_id" = $2;

-- db/agent/feedback.ts isAnswerTo
select "m"."id"
  from "agent_message" as "m"
  inner join "agent_session" as "s" on "s"."workspace_id" = "m"."workspace_id"
  and "s"."id" = "m"."session_id"
  where "m"."workspace_id" = $1
  and "m"."session_id" = $2
  and "m"."id" = $3
  and "m"."role" = $4
  and "s"."user_id" = $5
  and "s"."deleted_at" is null;

-- db/agent/feedback.ts listFeedback
select "f"."id", "s"."user_id", "f"."session_id", "f"."message_id", "s"."model", "f"."rating", "f"."comment", "f"."created_at", "f"."updated_at"
  from "agent_feedback" as "f"
  inner join "agent_session" as "s" on "s"."workspace_id" = "f"."workspace_id"
  and "s"."id" = "f"."session_id"
  where "f"."workspace_id" = $1
  and "f"."id" < $2
  order by "f"."id" desc
  limit 1;
select "f"."id", "s"."user_id", "f"."session_id", "f"."message_id", "s"."model", "f"."rating", "f"."comment", "f"."created_at", "f"."updated_at"
  from "agent_feedback" as "f"
  inner join "agent_session" as "s" on "s"."workspace_id" = "f"."workspace_id"
  and "s"."id" = "f"."session_id"
  where "f"."workspace_id" = $1
  order by "f"."id" desc
  limit 1;

-- db/agent/feedback.ts listFeedbackOn
select "message_id", "rating", "comment"
  from "agent_feedback"
  where "workspace_id" = $1
  and "session_id" = $2
  and "message_id" in ($3);

-- db/agent/feedback.ts listShared
select "s"."id", "s"."title", "s"."user_id", "s"."created_at", "s"."last_activity_at", "a"."created_at" as "shared_at"
  from "agent_share" as "a"
  inner join "agent_session" as "s" on "s"."workspace_id" = "a"."workspace_id"
  and "s"."id" = "a"."session_id"
  where "a"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "a"."session_id" < $2
  order by "a"."session_id" desc
  limit 1;
select "s"."id", "s"."title", "s"."user_id", "s"."created_at", "s"."last_activity_at", "a"."created_at" as "shared_at"
  from "agent_share" as "a"
  inner join "agent_session" as "s" on "s"."workspace_id" = "a"."workspace_id"
  and "s"."id" = "a"."session_id"
  where "a"."workspace_id" = $1
  and "s"."deleted_at" is null
  order by "a"."session_id" desc
  limit 1;

-- db/agent/feedback.ts saveFeedback
insert into "agent_feedback" ("workspace_id", "id", "session_id", "message_id", "rating", "comment")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("workspace_id", "session_id", "message_id") do update
  set "rating" = "excluded"."rating", "comment" = "excluded"."comment", "updated_at" = "excluded"."updated_at";

-- db/agent/firings.ts countStarted
select count(*)::integer as "count"
  from "agent_trigger_firing"
  where "workspace_id" = $1
  and "trigger_id" = $2
  and "started_at" > now() - interval '24 hours';

-- db/agent/firings.ts deleteOldFirings
delete from "agent_trigger_firing"
  where "workspace_id" = $1
  and "trigger_id" = $2
  and "created_at" < now() - interval '90 days'
  and "status" <> $3;

-- db/agent/firings.ts dueFirings.claim
with due as (select id, "status" as was
  from "agent_trigger_firing"
  where workspace_id = $1
  and id = $2
  and status = 'queued'
  and next_attempt_at <= statement_timestamp()
  for update) update "agent_trigger_firing"
  set attempts = "attempts" + 1, next_attempt_at = to_timestamp(extract(epoch
  from now())::float8 + 15 * power(2, attempts))
  from due
  where "agent_trigger_firing"."workspace_id" = $3
  and "agent_trigger_firing"."id" = due.id
  returning "agent_trigger_firing"."workspace_id", "agent_trigger_firing"."id", "agent_trigger_firing"."trigger_id", "agent_trigger_firing"."attempts", due.*;

-- db/agent/firings.ts dueFirings.listLate
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "agent_trigger_firing"
  where status = 'queued'
  and next_attempt_at <= now()) as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "agent_trigger_firing"
  where ((status = 'queued'
  and next_attempt_at <= now())
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/agent/firings.ts findFiring
select "workspace_id", "id", "trigger_id", "title", "alert", "status", "reason", "session_id", "run_id", "resolved_at", "noted_at", "attempts", "created_at", "started_at"
  from "agent_trigger_firing"
  where "workspace_id" = $1
  and "id" = $2;

-- db/agent/firings.ts findFiringOf
select "firing_id"
  from "agent_trigger_alert"
  where "workspace_id" = $1
  and "trigger_id" = $2
  and "identity" = any($3)
  order by "firing_id" desc
  limit 1;

-- db/agent/firings.ts insertFiring
begin;
insert into agent_trigger_firing (workspace_id, id, trigger_id, title, alert, status)
  values ($1::uuid, $2::uuid, $3::uuid, $4, $5::json, 'queued');
insert into "agent_trigger_alert" ("workspace_id", "trigger_id", "identity", "firing_id", "started_at")
  values ($1, $2, $3, $4, $5)
  on conflict ("workspace_id", "trigger_id", "identity") do update
  set "firing_id" = "excluded"."firing_id", "resolved_at" = "excluded"."resolved_at", "started_at" = "excluded"."started_at"
  where agent_trigger_alert.resolved_at < $6
  returning "identity";
delete from "agent_trigger_firing"
  where "workspace_id" = $1
  and "id" = $2;
commit;

-- db/agent/firings.ts insertProposal
insert into "agent_trigger_proposal" ("workspace_id", "firing_id", "run_id", "tool_call_id")
  values ($1, $2, $3, $4);

-- db/agent/firings.ts listFirings
select "f"."id", "f"."trigger_id", "f"."title", "f"."status", "f"."reason", "f"."session_id", "f"."run_id", "f"."resolved_at", "f"."created_at", "f"."started_at", "r"."status" as "run_status", "p"."id" as "report_id"
  from "agent_trigger_firing" as "f"
  left join "agent_run" as "r" on "r"."workspace_id" = "f"."workspace_id"
  and "r"."id" = "f"."run_id"
  left join "agent_report" as "p" on "p"."workspace_id" = "f"."workspace_id"
  and "p"."run_id" = "f"."run_id"
  where "f"."workspace_id" = $1
  and "f"."trigger_id" = $2
  and "f"."id" < $3
  order by "f"."id" desc
  limit 1;
select "f"."id", "f"."trigger_id", "f"."title", "f"."status", "f"."reason", "f"."session_id", "f"."run_id", "f"."resolved_at", "f"."created_at", "f"."started_at", "r"."status" as "run_status", "p"."id" as "report_id"
  from "agent_trigger_firing" as "f"
  left join "agent_run" as "r" on "r"."workspace_id" = "f"."workspace_id"
  and "r"."id" = "f"."run_id"
  left join "agent_report" as "p" on "p"."workspace_id" = "f"."workspace_id"
  and "p"."run_id" = "f"."run_id"
  where "f"."workspace_id" = $1
  and "f"."trigger_id" = $2
  order by "f"."id" desc
  limit 1;

-- db/agent/firings.ts listProposals
select "run_id", "tool_call_id"
  from "agent_trigger_proposal"
  where "workspace_id" = $1
  and "firing_id" = $2
  order by "run_id";

-- db/agent/firings.ts resolveAlerts
begin;
update "agent_trigger_alert"
  set "resolved_at" = now()
  where "workspace_id" = $1
  and "trigger_id" = $2
  and exists ( select
  from unnest($3::text[], $4::boolean[], $5::timestamptz[], $6::text[]) as e (name, is_prefix, ended_at, exactly)
  where identity = e.exactly
  or ( (identity = e.name
  or (e.is_prefix
  and starts_with(identity, e.name)))
  and (started_at is null
  or started_at <= e.ended_at)))
  and "resolved_at" is null
  returning "firing_id";
commit;
select "id"
  from "agent_trigger_firing"
  where "workspace_id" = $1
  and "id" = any($2)
  order by "id"
  for update;
update "agent_trigger_firing"
  set "resolved_at" = now(), "status" = case when status = 'queued' then 'skipped' else status end, "reason" = case when status = 'queued' then 'resolved' else reason end
  where "workspace_id" = $1
  and "id" = any($2)
  and "resolved_at" is null
  and not exists (select
  from agent_trigger_alert a
  where a.workspace_id = $3
  and a.firing_id = agent_trigger_firing.id
  and a.resolved_at is null)
  returning "id";

-- db/agent/firings.ts secondsUntilTry
select greatest(extract(epoch
  from next_attempt_at - statement_timestamp()), 0)::float8 as "seconds"
  from "agent_trigger_firing"
  where "workspace_id" = $1
  and "id" = $2
  and "status" = $3;

-- db/agent/firings.ts showFiring
select "f"."id", "f"."trigger_id", "f"."title", "f"."status", "f"."reason", "f"."session_id", "f"."run_id", "f"."resolved_at", "f"."created_at", "f"."started_at", "r"."status" as "run_status", "p"."id" as "report_id"
  from "agent_trigger_firing" as "f"
  left join "agent_run" as "r" on "r"."workspace_id" = "f"."workspace_id"
  and "r"."id" = "f"."run_id"
  left join "agent_report" as "p" on "p"."workspace_id" = "f"."workspace_id"
  and "p"."run_id" = "f"."run_id"
  where "f"."workspace_id" = $1
  and "f"."id" = $2;

-- db/agent/firings.ts skipFiring
update "agent_trigger_firing"
  set "status" = $1, "reason" = $2
  where "workspace_id" = $3
  and "id" = $4
  and "status" = $5;

-- db/agent/fork-session.ts findFollowing
select (select min("n"."seq") as "seq"
  from "agent_message" as "n"
  where "n"."workspace_id" = $1
  and "n"."session_id" = $2
  and "n"."seq" > "m"."seq"
  and "n"."role" = $3
  and "n"."search_text" != $4
  and "n"."compaction" is null) as "next"
  from "agent_message" as "m"
  where "m"."workspace_id" = $5
  and "m"."session_id" = $6
  and "m"."id" = $7
  and "m"."compaction" is null;

-- db/agent/fork-session.ts findNextMessage
select "next_message"
  from "agent_session"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3
  and "kind" = $4
  and "deleted_at" is null;

-- db/agent/fork-session.ts findOwnMessage
select "seq"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and "id" = $3
  and "role" = $4
  and "search_text" != $5
  and "compaction" is null;

-- db/agent/fork-session.ts forkSession
insert into agent_session (workspace_id, id, user_id, kind, title, title_source, model, own_model, effort, thinking, model_since, system_hash, next_message, budget_usd_micros) select workspace_id, $1::uuid, user_id, kind, title, title_source, model, own_model, effort, thinking, least(model_since, $2::bigint), system_hash, $3::bigint, $4::bigint
  from agent_session
  where workspace_id = $5
  and id = $6;
insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason, model, created_at, sent) select workspace_id, $1::uuid, id, md5("run_id"::text || $2::text)::uuid, seq, role, content, search_text, stop_reason, model, created_at, sent
  from agent_message
  where workspace_id = $3
  and session_id = $4
  and seq < $5::bigint
  and compaction is null;
insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name, tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch, dispatched_at, http_status, result, result_model, truncated, is_error, finished_at, created_at) select c.workspace_id, md5("c"."id"::text || $1::text)::uuid, md5("c"."run_id"::text || $2::text)::uuid, $3::uuid, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, case when c.result_model is null then 'cancelled' else c.status end, c.decided_by, c.idempotency_key, c.claim_epoch, c.dispatched_at, c.http_status, c.result, coalesce(c.result_model, 'It waits in the conversation that this one is a copy of.'), c.truncated, c.is_error, coalesce(c.finished_at, now()), c.created_at
  from agent_tool_call c join agent_message m on m.workspace_id = c.workspace_id
  and m.session_id = c.session_id
  and m.id = c.message_id
  where c.workspace_id = $4
  and m.workspace_id = $5
  and c.session_id = $6
  and m.seq < $7::bigint;
insert into "agent_session_attachment" ("workspace_id", "session_id", "attachment_id") select "workspace_id", $1::uuid as "session_id", "attachment_id"
  from "agent_session_attachment"
  where "workspace_id" = $2
  and "session_id" = $3;

-- db/agent/grants.ts countUses
select "decided_by", count(*)::integer as "uses"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" in ($2)
  and "decided_by" like $3
  group by "decided_by";

-- db/agent/grants.ts endGrant
update "agent_grant"
  set "ended_at" = statement_timestamp()
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3
  and "ended_at" is null;

-- db/agent/grants.ts findGrant
select "id", "user_id", "session_id", "confirmation_id", "tool", "target", "summary", "bounds", "since", "created_at", "expires_at", "ended_at", ended_at is null
  and bounds is not null
  and expires_at > statement_timestamp() as "live"
  from "agent_grant"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3;

-- db/agent/grants.ts findLastGrant
select max("expires_at") as "until"
  from "agent_grant"
  where "workspace_id" = $1
  and "ended_at" is null;

-- db/agent/grants.ts insertGrant
insert into "agent_grant" ("confirmation_id", "session_id", "since", "summary", "tool", "user_id", "workspace_id", "id", "target", "bounds", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, statement_timestamp() + make_interval(secs => $11));
select pg_notify($1, $2) as "notified";

-- db/agent/grants.ts listGrants
select "id", "user_id", "session_id", "confirmation_id", "tool", "target", "summary", "bounds", "since", "created_at", "expires_at", "ended_at", ended_at is null
  and bounds is not null
  and expires_at > statement_timestamp() as "live"
  from "agent_grant"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "user_id", "session_id", "confirmation_id", "tool", "target", "summary", "bounds", "since", "created_at", "expires_at", "ended_at", ended_at is null
  and bounds is not null
  and expires_at > statement_timestamp() as "live"
  from "agent_grant"
  where "workspace_id" = $1
  and "user_id" = $2
  order by "id" desc
  limit 1;

-- db/agent/grants.ts listLiveGrants
select "id", "user_id", "session_id", "confirmation_id", "tool", "target", "summary", "bounds", "since", "created_at", "expires_at", "ended_at"
  from "agent_grant"
  where "workspace_id" = $1
  and "session_id" = $2
  and "tool" = $3
  and "ended_at" is null
  and "expires_at" > statement_timestamp()
  order by "id" desc;

-- db/agent/inbox.ts listInbox
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."user_id" = $2
  and "c"."session_id" = $3
  and "c"."decided_by" = $4
  and "c"."name" = $5
  and (position(lower($6) in lower("c"."summary")) > 0
  or position(lower($7) in lower(c.target::text)) > 0)
  and "c"."id" < $8
  order by "c"."id" desc
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" = $2
  and "c"."user_id" = $3
  and "c"."session_id" = $4
  and "c"."decided_by" = $5
  and "c"."name" = $6
  and (position(lower($7) in lower("c"."summary")) > 0
  or position(lower($8) in lower(c.target::text)) > 0)
  and "c"."id" < $9
  order by "c"."id" desc
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" in ($2, $3)
  and "c"."user_id" = $4
  and "c"."session_id" = $5
  and "c"."decided_by" = $6
  and "c"."name" = $7
  and (position(lower($8) in lower("c"."summary")) > 0
  or position(lower($9) in lower(c.target::text)) > 0)
  and "c"."id" < $10
  order by "c"."id" desc
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" = 'pending'
  and "c"."expires_at" > now()
  and "c"."user_id" = $2
  and "c"."session_id" = $3
  and "c"."decided_by" = $4
  and "c"."name" = $5
  and (position(lower($6) in lower("c"."summary")) > 0
  or position(lower($7) in lower(c.target::text)) > 0)
  and "c"."id" < $8
  order by "c"."id" desc
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" = $2
  order by "c"."id" desc
  limit 1;

-- db/agent/inbox.ts listThread
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."user_id" = $2
  and ("c"."id" = $3
  or "c"."thread_id" = $4)
  and "c"."id" > $5
  order by "c"."id"
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."user_id" = $2
  and ("c"."id" = $3
  or "c"."thread_id" = $4)
  order by "c"."id"
  limit 1;

-- db/agent/inbox.ts listTurnInbox
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title", "t"."step", "t"."ordinal"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  inner join "agent_tool_call" as "t" on "t"."workspace_id" = "c"."workspace_id"
  and "t"."id" = "c"."tool_call_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."user_id" = $2
  and "c"."session_id" = $3
  and "c"."decided_by" = $4
  and "c"."name" = $5
  and (position(lower($6) in lower("c"."summary")) > 0
  or position(lower($7) in lower(c.target::text)) > 0)
  and "c"."run_id" = $8
  and (t.step, t.ordinal, c.id) > ($9, $10, $11)
  order by "t"."step", "t"."ordinal", "c"."id"
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title", "t"."step", "t"."ordinal"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  inner join "agent_tool_call" as "t" on "t"."workspace_id" = "c"."workspace_id"
  and "t"."id" = "c"."tool_call_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" = $2
  and "c"."user_id" = $3
  and "c"."session_id" = $4
  and "c"."decided_by" = $5
  and "c"."name" = $6
  and (position(lower($7) in lower("c"."summary")) > 0
  or position(lower($8) in lower(c.target::text)) > 0)
  and "c"."run_id" = $9
  and (t.step, t.ordinal, c.id) > ($10, $11, $12)
  order by "t"."step", "t"."ordinal", "c"."id"
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title", "t"."step", "t"."ordinal"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  inner join "agent_tool_call" as "t" on "t"."workspace_id" = "c"."workspace_id"
  and "t"."id" = "c"."tool_call_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" in ($2, $3)
  and "c"."user_id" = $4
  and "c"."session_id" = $5
  and "c"."decided_by" = $6
  and "c"."name" = $7
  and (position(lower($8) in lower("c"."summary")) > 0
  or position(lower($9) in lower(c.target::text)) > 0)
  and "c"."run_id" = $10
  and (t.step, t.ordinal, c.id) > ($11, $12, $13)
  order by "t"."step", "t"."ordinal", "c"."id"
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title", "t"."step", "t"."ordinal"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  inner join "agent_tool_call" as "t" on "t"."workspace_id" = "c"."workspace_id"
  and "t"."id" = "c"."tool_call_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" = 'pending'
  and "c"."expires_at" > now()
  and "c"."user_id" = $2
  and "c"."session_id" = $3
  and "c"."decided_by" = $4
  and "c"."name" = $5
  and (position(lower($6) in lower("c"."summary")) > 0
  or position(lower($7) in lower(c.target::text)) > 0)
  and "c"."run_id" = $8
  and (t.step, t.ordinal, c.id) > ($9, $10, $11)
  order by "t"."step", "t"."ordinal", "c"."id"
  limit 1;
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title", "t"."step", "t"."ordinal"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  inner join "agent_tool_call" as "t" on "t"."workspace_id" = "c"."workspace_id"
  and "t"."id" = "c"."tool_call_id"
  where "c"."workspace_id" = $1
  and "s"."deleted_at" is null
  and "c"."status" = $2
  and "c"."run_id" = $3
  order by "t"."step", "t"."ordinal", "c"."id"
  limit 1;

-- db/agent/parked.ts claimWaiting
update agent_run
  set status = 'running', lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = 0
  where workspace_id = $3
  and id = $4
  and status = 'awaiting_confirmation'
  and cancel_requested_at is null
  and exists (select 1
  from agent_tool_call c
  where c.workspace_id = $5
  and c.run_id = $6
  and c.result_model is null)
  returning "workspace_id", "id", "session_id", "user_id", "kind", "principal", "step", "attempts", "position", "lease_epoch", "active_ms", "budget_usd_micros", "cancel_requested_at", "reason";

-- db/agent/parked.ts closeParked
update "agent_confirmation"
  set "status" = $1, "close_reason" = $2
  where "workspace_id" = $3
  and "run_id" = $4
  and "status" = $5;

-- db/agent/parked.ts countParked
select count(*)::integer as "count"
  from "agent_run"
  where "workspace_id" = $1
  and "status" = $2
  and "id" in (select "c"."run_id"
  from "agent_confirmation" as "c"
  where "c"."workspace_id" = $3
  and "c"."user_id" = $4
  and "c"."status" = 'pending');

-- db/agent/parked.ts findParkedPosition
select coalesce(max(position), 0) as position
  from stream_event
  where workspace_id = $1
  and stream_id = $2
  and event = 'tool_call'
  and data->>'still_waits' = 'true';

-- db/agent/parked.ts isUndecided
select "id"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  and "cancel_requested_at" is not null;
select "id"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "run_id" = $2
  and "status" in ($3, $4, $5, $6, $7)
  and "result_model" is null
  limit 1;

-- db/agent/parked.ts listParked
select "id"
  from "agent_run"
  where "workspace_id" = $1
  and "status" = $2
  and "id" in (select "c"."run_id"
  from "agent_confirmation" as "c"
  where "c"."workspace_id" = $3
  and "c"."user_id" = $4
  and "c"."session_id" = $5
  and "c"."status" = 'pending');

-- db/agent/parked.ts listParkedQuestions
select "c"."id", "c"."run_id", "c"."tool_call_id", "c"."name", "c"."target", "c"."input_digest", "c"."requirement"
  from "agent_confirmation" as "c"
  inner join "agent_run" as "r" on "r"."workspace_id" = "c"."workspace_id"
  and "r"."id" = "c"."run_id"
  where "c"."workspace_id" = $1
  and "c"."user_id" = $2
  and "c"."session_id" = $3
  and "c"."status" = 'pending'
  and "c"."expires_at" > now()
  and "r"."status" = $4;

-- db/agent/parked.ts resumeParked
begin;
select "session_id", "cancel_requested_at"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  and "status" = $3
  for update;
commit;
select "id", "status", "reason"
  from "agent_run"
  where "workspace_id" = $1
  and "session_id" = $2
  and "status" in ('ready', 'running', 'awaiting_confirmation');
select "id"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "run_id" = $2
  and "status" in ($3, $4, $5, $6, $7)
  and "result_model" is null
  limit 1;

-- db/agent/parked.ts supersedeParked
select "session_id", "cancel_requested_at"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  and "status" = $3
  for update;
update "agent_confirmation"
  set "status" = $1, "close_reason" = $2
  where "workspace_id" = $3
  and "id" = $4
  and "status" = $5;
update "agent_tool_call"
  set "status" = $1
  where "workspace_id" = $2
  and "run_id" = $3
  and "status" = $4
  and ("id" = $5
  or not exists (select "c"."id"
  from "agent_confirmation" as "c"
  where "c"."workspace_id" = $6
  and "c"."run_id" = $7
  and "c"."tool_call_id" = "agent_tool_call"."id"));

-- db/agent/preferences.ts deletePreferences
delete from "agent_preference"
  where "workspace_id" = $1
  and "user_id" = $2
  and "key" in ($3);

-- db/agent/preferences.ts listPreferences
select key, kind, value, applies_to, status, source, version, updated_at
  from agent_preference
  where workspace_id = $1::uuid
  and user_id = $2::uuid
  order by key;

-- db/agent/preferences.ts listPreferencesOf
select user_id, id, key, kind, value, applies_to, status, source, version, updated_at
  from agent_preference
  where workspace_id = $1::uuid
  and user_id = any($2::uuid[])
  order by key;

-- db/agent/preferences.ts setPreference
update "agent_preference"
  set "kind" = $1, "value" = $2, "applies_to" = $3, "status" = $4, "source" = $5, "updated_at" = now(), "version" = agent_preference.version + 1
  where "workspace_id" = $6
  and "user_id" = $7
  and "key" = $8
  and "version" = $9
  and ($10 = 'user'
  or agent_preference.status = 'suggested')
  returning "version";
insert into "agent_preference" ("workspace_id", "user_id", "id", "key", "kind", "value", "applies_to", "status", "source", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
  on conflict ("workspace_id", "user_id", "key") do update
  set "kind" = $10, "value" = $11, "applies_to" = $12, "status" = $13, "source" = $14, "updated_at" = "excluded"."updated_at", "version" = agent_preference.version + 1
  where ($15 = 'user'
  or agent_preference.status = 'suggested')
  returning "version";

-- db/agent/questions.ts askCall
update "agent_tool_call"
  set "status" = $1, "decided_by" = $2, "effective_input" = $3, "input_digest" = $4
  where "workspace_id" = $5
  and "id" = $6
  and "status" in ($7, $8, $9);

-- db/agent/questions.ts closeQuestion
update "agent_confirmation"
  set "status" = $1, "close_reason" = $2, "reason" = $3
  where "workspace_id" = $4
  and "id" = $5
  and "status" in ($6, $7);
update "agent_confirmation"
  set "status" = $1, "close_reason" = $2
  where "workspace_id" = $3
  and "id" = $4
  and "status" in ($5, $6);

-- db/agent/questions.ts findQuestion
select steward_timeline() as "timeline";
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "c"."draft", "r"."principal", c.expires_at <= statement_timestamp() as "expired", coalesce("c"."timeline" <> $1::text, false) as "is_before_failover"
  from "agent_confirmation" as "c"
  inner join "agent_run" as "r" on "r"."workspace_id" = "c"."workspace_id"
  and "r"."id" = "c"."run_id"
  where "c"."workspace_id" = $2
  and "c"."id" = $3;

-- db/agent/questions.ts markAnnounced
update "agent_confirmation"
  set "announced" = $1
  where "workspace_id" = $2
  and "id" in ($3);
update "agent_confirmation"
  set "announced" = $1
  where "workspace_id" = $2
  and "id" in ();

-- db/agent/questions.ts replaceQuestion
update "agent_tool_call"
  set "status" = $1, "decided_by" = $2, "tool_version" = $3, "effective_input" = $4, "input_digest" = $5
  where "workspace_id" = $6
  and "id" = $7
  and "status" in ($8, $9, $10, $11)
  and "result_model" is null;
select "proposed", "authors"
  from "agent_confirmation"
  where "workspace_id" = $1
  and "id" = $2;
update "agent_confirmation"
  set "status" = $1, "close_reason" = $2
  where "workspace_id" = $3
  and "id" = $4
  and "status" in ($5, $6);
insert into "agent_confirmation" ("expires_at", "id", "input_digest", "kind", "name", "replaces", "risk", "run_id", "session_id", "summary", "thread_id", "tool_call_id", "user_id", "workspace_id", "status", "announced", "editable", "preview", "risk_reasons", "arguments", "target", "facts", "requirement", "proposed", "authors")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25);

-- db/agent/questions.ts saveDraft
update "agent_confirmation"
  set "draft" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "status" = $4;

-- db/agent/questions.ts saveRequirement
update "agent_confirmation"
  set "requirement" = $1
  where "workspace_id" = $2
  and "id" = $3;

-- db/agent/queue.ts deleteQueued
delete from "agent_queued_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and "id" = $3
  returning "id";

-- db/agent/queue.ts dueMessages.claim
with due as (select id, "state" as was
  from "agent_queued_message"
  where workspace_id = $1
  and id = $2
  and next_attempt_at <= statement_timestamp()
  and not exists ( select
  from agent_queued_message e
  where e.workspace_id = $3
  and e.session_id = agent_queued_message.session_id
  and (e.created_at, e.id) < (agent_queued_message.created_at, agent_queued_message.id))
  for update) update "agent_queued_message"
  set next_attempt_at = statement_timestamp() + make_interval(secs => $4)
  from due
  where "agent_queued_message"."workspace_id" = $5
  and "agent_queued_message"."id" = due.id
  returning "agent_queued_message"."workspace_id", "agent_queued_message"."id", "agent_queued_message"."session_id", "agent_queued_message"."user_id", "agent_queued_message"."principal", "agent_queued_message"."message", "agent_queued_message"."context", "agent_queued_message"."attachment_ids", "agent_queued_message"."request_id", "agent_queued_message"."remote_address", due.*;

-- db/agent/queue.ts dueMessages.listLate
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "agent_queued_message"
  where next_attempt_at < now() - interval '30 seconds') as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "agent_queued_message"
  where ((next_attempt_at < now() - interval '30 seconds')
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/agent/queue.ts expediteFirst
update "agent_queued_message"
  set "next_attempt_at" = statement_timestamp()
  where "workspace_id" = $1
  and "id" = (select "id"
  from "agent_queued_message"
  where "workspace_id" = $2
  and "session_id" = $3
  order by "created_at", "id"
  limit $4)
  returning "id";

-- db/agent/queue.ts insertQueued
insert into "agent_queued_message" ("id", "message", "remote_address", "request_id", "session_id", "user_id", "workspace_id", "principal", "context", "attachment_ids")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  returning "id", "session_id", "message", "created_at";

-- db/agent/queue.ts isQueued
select "id"
  from "agent_queued_message"
  where "workspace_id" = $1
  and "id" = $2;

-- db/agent/queue.ts listMessages
select "id", "run_id", "seq", "role", "stop_reason", "created_at", "compaction", coalesce(sent, content) as "content"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and "seq" >= (select "sent_since"
  from "agent_session"
  where "workspace_id" = $3
  and "id" = $4)
  order by "seq";

-- db/agent/queue.ts listOpening
select "role", "search_text"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and "search_text" != $3
  order by "seq"
  limit 1;

-- db/agent/queue.ts listQueued
select "id", "session_id", "message", "created_at"
  from "agent_queued_message"
  where "workspace_id" = $1
  and "session_id" = $2
  order by "created_at", "id";

-- db/agent/queue.ts listVisibleAfter
select "id", "run_id", "seq", "role", "content", "stop_reason", "model", "created_at", "compaction"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and ("role" = $3
  or "search_text" != $4
  or "compaction" is not null)
  and "seq" > $5
  order by "seq"
  limit 1;

-- db/agent/queue.ts listVisibleMessages
select "id", "run_id", "seq", "role", "content", "stop_reason", "model", "created_at", "compaction"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and ("role" = $3
  or "search_text" != $4
  or "compaction" is not null)
  and "seq" < $5
  order by "seq" desc
  limit 1;
select "id", "run_id", "seq", "role", "content", "stop_reason", "model", "created_at", "compaction"
  from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2
  and ("role" = $3
  or "search_text" != $4
  or "compaction" is not null)
  order by "seq" desc
  limit 1;

-- db/agent/reports.ts findReport
select "p"."id", "f"."trigger_id", "p"."firing_id", "p"."session_id", "p"."run_id", "p"."title", "p"."unsupported", "f"."resolved_at", "p"."created_at", "p"."sentences", "f"."alert"
  from "agent_report" as "p"
  inner join "agent_trigger_firing" as "f" on "f"."workspace_id" = "p"."workspace_id"
  and "f"."id" = "p"."firing_id"
  inner join "agent_session" as "s" on "s"."workspace_id" = "p"."workspace_id"
  and "s"."id" = "p"."session_id"
  where "p"."workspace_id" = $1
  and "p"."user_id" = $2
  and "s"."deleted_at" is null
  and "p"."id" = $3;

-- db/agent/reports.ts insertReport
insert into "agent_report" ("firing_id", "run_id", "session_id", "title", "unsupported", "user_id", "workspace_id", "id", "sentences")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict ("workspace_id", "run_id") do nothing;

-- db/agent/reports.ts listDecisions
select "c"."id", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."status", "c"."user_id", "c"."session_id", "c"."decided_by", "c"."decided_at", "c"."requested_at", "s"."kind", p.run_id is not null
  or r.principal->>'firing_id' is not null as "trigger"
  from "agent_confirmation" as "c"
  left join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  left join "agent_run" as "r" on "r"."workspace_id" = "c"."workspace_id"
  and "r"."id" = "c"."run_id"
  left join "agent_trigger_proposal" as "p" on "p"."workspace_id" = "c"."workspace_id"
  and "p"."run_id" = "c"."run_id"
  where "c"."workspace_id" = $1
  and "c"."kind" = $2
  and "c"."status" in ($3, $4)
  and "c"."decided_by" is not null
  order by "c"."id" desc
  limit 1;

-- db/agent/reports.ts listForeignReads
select "session_id", "finished_at" as "at"
  from "agent_tool_call"
  where "workspace_id" = $1
  and session_id = any($2::uuid[])
  and "status" <> $3
  and (name = any($4::text[])
  or position('__' in name) > 0);
select "session_id", "created_at" as "at"
  from "agent_message"
  where "workspace_id" = $1
  and session_id = any($2::uuid[])
  and content::text like '%"type":"attachment"%';
select "session_id", greatest(created_at, started_at, noted_at) as "at"
  from "agent_trigger_firing"
  where "workspace_id" = $1
  and session_id = any($2::uuid[]);

-- db/agent/reports.ts listReports
select "p"."id", "f"."trigger_id", "p"."firing_id", "p"."session_id", "p"."run_id", "p"."title", "p"."unsupported", "f"."resolved_at", "p"."created_at"
  from "agent_report" as "p"
  inner join "agent_trigger_firing" as "f" on "f"."workspace_id" = "p"."workspace_id"
  and "f"."id" = "p"."firing_id"
  inner join "agent_session" as "s" on "s"."workspace_id" = "p"."workspace_id"
  and "s"."id" = "p"."session_id"
  where "p"."workspace_id" = $1
  and "p"."user_id" = $2
  and "s"."deleted_at" is null
  and "f"."trigger_id" = $3
  and "p"."id" < $4
  order by "p"."id" desc
  limit 1;
select "p"."id", "f"."trigger_id", "p"."firing_id", "p"."session_id", "p"."run_id", "p"."title", "p"."unsupported", "f"."resolved_at", "p"."created_at"
  from "agent_report" as "p"
  inner join "agent_trigger_firing" as "f" on "f"."workspace_id" = "p"."workspace_id"
  and "f"."id" = "p"."firing_id"
  inner join "agent_session" as "s" on "s"."workspace_id" = "p"."workspace_id"
  and "s"."id" = "p"."session_id"
  where "p"."workspace_id" = $1
  and "p"."user_id" = $2
  and "s"."deleted_at" is null
  order by "p"."id" desc
  limit 1;

-- db/agent/retention.ts compactStreams
select distinct "workspace_id"
  from "agent_run"
  where finished_at between now() - interval '1 day'
  and now() - interval '1 hour';
with due as ( select id
  from agent_run
  where workspace_id = $1
  and finished_at between now() - interval '1 day'
  and now() - interval '1 hour'
  and (select count(*)
  from stream_event e
  where e.workspace_id = $2
  and e.stream_id = agent_run.id
  and e.event = 'content') > 1
  order by finished_at
  limit $3), texts as ( select e.stream_id, e.position, e.data->>'message_id' as message_id, e.data->>'text' as text, sum(case when e.event = 'content'
  and e.data->>'reset' is null then 0 else 1 end) over (partition by e.stream_id
  order by e.position) as broken, e.position / $4::bigint as stretch, e.event, e.data->>'reset' as reset
  from stream_event e join due on due.id = e.stream_id
  where e.workspace_id = $5), joined as ( select stream_id, broken, stretch, message_id, max(position) as position, string_agg(text, ''
  order by position) as text
  from texts
  where event = 'content'
  and reset is null
  group by stream_id, broken, stretch, message_id having count(*) > 1), gone as ( delete from stream_event e using texts t, joined j
  where e.workspace_id = $6
  and e.stream_id = t.stream_id
  and e.position = t.position
  and t.event = 'content'
  and t.reset is null
  and j.stream_id = t.stream_id
  and j.broken = t.broken
  and j.stretch = t.stretch
  and j.message_id = t.message_id
  and t.position < j.position) update stream_event e
  set data = json_object(array['message_id', j.message_id, 'text', j.text])
  from joined j
  where e.workspace_id = $7
  and e.stream_id = j.stream_id
  and e.position = j.position;
select distinct "workspace_id"
  from "agent_run"
  where ((finished_at between now() - interval '1 day'
  and now() - interval '1 hour')
  and "workspace_id" = any($1::uuid[]));

-- db/agent/retention.ts hideIdleSessions
update "agent_session"
  set "deleted_at" = now()
  where "workspace_id" = $1
  and "id" in (select "s"."id"
  from "agent_session" as "s"
  where "s"."workspace_id" = $2
  and "s"."deleted_at" is null
  and "s"."last_activity_at" < now() - make_interval(days => $3)
  and not exists (select "r"."id"
  from "agent_run" as "r"
  where "r"."workspace_id" = $4
  and "r"."session_id" = "s"."id"
  and "r"."status" in ('ready', 'running', 'awaiting_confirmation', 'parked'))
  limit $5);

-- db/agent/retention.ts purgeSessions
select "workspace_id", "id"
  from "agent_session"
  where deleted_at < now() - interval '1 day'
  limit $1;
begin;
select "id"
  from "agent_session"
  where "workspace_id" = $1
  and "id" = $2
  for update;
delete from "stream_event"
  where "workspace_id" = $1
  and "stream_id" in (select "agent_run"."id"
  from "agent_run"
  where "workspace_id" = $2
  and "session_id" = $3);
select "attachment_id" as "id"
  from "agent_session_attachment"
  where "workspace_id" = $1
  and "session_id" = $2;
select "id"
  from "agent_attachment"
  where "workspace_id" = $1
  and "id" = any($2)
  order by "id"
  for update;
delete from "agent_session_attachment"
  where "workspace_id" = $1
  and "session_id" = $2;
delete from "agent_attachment" as "a"
  where "a"."workspace_id" = $1
  and "a"."id" = any($2)
  and not exists (select "u"."attachment_id"
  from "agent_session_attachment" as "u"
  where "u"."workspace_id" = $3
  and "u"."attachment_id" = "a"."id");
delete from "agent_confirmation"
  where "workspace_id" = $1
  and "session_id" = $2;
delete from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2;
delete from "agent_message"
  where "workspace_id" = $1
  and "session_id" = $2;
delete from "agent_run"
  where "workspace_id" = $1
  and "session_id" = $2;
delete from "agent_session"
  where "workspace_id" = $1
  and "id" = $2;
commit;
select "workspace_id", "id"
  from "agent_session"
  where ((deleted_at < now() - interval '1 day')
  and "workspace_id" = any($1::uuid[]))
  limit $2;

-- db/agent/runs.ts addActiveTime
update "agent_run"
  set "active_ms" = "active_ms" + $1::bigint
  where "workspace_id" = $2
  and "id" = $3;

-- db/agent/runs.ts claimRun
update "agent_run"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = 'running', position = position + case when lease_owner is null then 0 else $3::bigint end
  where workspace_id = $4
  and id = ( select id
  from agent_run
  where workspace_id = $5
  and id = $6
  and ((status = 'ready'
  and wake_at <= statement_timestamp())
  or (status = 'running'
  and lease_until < statement_timestamp()
  and not id = any($7::uuid[])))
  for update skip locked)
  returning "workspace_id", "id", "session_id", "user_id", "kind", "principal", "step", "attempts", "position", "lease_epoch", "active_ms", "budget_usd_micros", "cancel_requested_at", "reason";
update "agent_run"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = 'running', position = position + case when lease_owner is null then 0 else $3::bigint end
  where workspace_id = $4
  and id = ( select id
  from agent_run
  where workspace_id = $5
  and id = $6
  and ((status = 'ready'
  and wake_at <= statement_timestamp())
  or (status = 'running'
  and lease_until < statement_timestamp()
  and not id = any($7::uuid[])))
  for update )
  returning "workspace_id", "id", "session_id", "user_id", "kind", "principal", "step", "attempts", "position", "lease_epoch", "active_ms", "budget_usd_micros", "cancel_requested_at", "reason";

-- db/agent/runs.ts findCancelReason
select "reason"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  and "lease_epoch" = $3
  and "status" = $4
  and "cancel_requested_at" is not null;

-- db/agent/runs.ts findLiveRun
select "id", "status", "reason"
  from "agent_run"
  where "workspace_id" = $1
  and "session_id" = $2
  and "status" in ('ready', 'running', 'awaiting_confirmation');

-- db/agent/runs.ts findRun
select "id", "session_id", "status", "reason", "step", "error", "position", "cancel_requested_at", "created_at", "finished_at"
  from "agent_run"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3;

-- db/agent/runs.ts hasDecided
select "id"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "run_id" = $2
  and "status" in ($3, $4, $5, $6, $7)
  and "result_model" is null
  limit 1;

-- db/agent/runs.ts listCancelRequested
select "id", "reason"
  from "agent_run"
  where "workspace_id" = $1
  and "lease_owner" = $2
  and "status" = $3
  and "cancel_requested_at" is not null;

-- db/agent/runs.ts listEndedRuns
select "r"."id", "r"."user_id", "r"."session_id", "r"."status", "s"."title", r.finished_at as "finished_at"
  from "agent_run" as "r"
  inner join "agent_session" as "s" on "s"."workspace_id" = "r"."workspace_id"
  and "s"."id" = "r"."session_id"
  where "r"."workspace_id" = $1
  and "r"."user_id" = any($2)
  and "r"."kind" = $3
  and "r"."finished_at" >= $4
  and "s"."deleted_at" is null
  order by "r"."finished_at"
  limit $5;

-- db/agent/runs.ts raiseBudgets
update "agent_run"
  set "budget_usd_micros" = "budget_usd_micros" + $1::bigint
  where "workspace_id" = $2
  and "id" = $3;
update "agent_session"
  set "budget_usd_micros" = "budget_usd_micros" + $1::bigint
  where "workspace_id" = $2
  and "id" = $3;

-- db/agent/runs.ts readPending
select count(*)::integer as "count", coalesce(extract(epoch
  from now() - min(requested_at)), 0)::double precision as "oldest_s"
  from "agent_confirmation"
  where "status" in ('pending')
  and "expires_at" > now();
select count(*)::integer as "count", coalesce(extract(epoch
  from now() - min(requested_at)), 0)::double precision as "oldest_s"
  from "agent_confirmation"
  where (("status" in ('pending'))
  and "workspace_id" = any($1::uuid[]))
  and "expires_at" > now();

-- db/agent/runs.ts releaseRun
update "agent_run"
  set "status" = $1, "lease_owner" = $2, "lease_until" = $3, "wake_at" = now(), "position" = $4, "attempts" = $5
  where workspace_id = $6
  and id = $7
  and lease_epoch = $8
  and "status" in ('running');

-- db/agent/runs.ts requestCancel
update agent_run
  set cancel_requested_at = least(cancel_requested_at, statement_timestamp()), reason = case when reason is null
  or reason = 'parked' then $1 else reason end, wake_at = now(), status = case when status = 'awaiting_confirmation' then 'ready' else status end
  where workspace_id = $2
  and user_id = $3
  and id = $4
  and (status in ('awaiting_confirmation', 'parked')
  or (status in ('ready', 'running')
  and $5 not in ('superseded', 'alert_resolved')))
  returning id, session_id, status;

-- db/agent/runs.ts runLeases.claim
update "agent_run"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = 'running', position = position + case when lease_owner is null then 0 else $3::bigint end
  where workspace_id = $4
  and id = ( select id
  from agent_run
  where workspace_id = $5
  and id = $6
  and ((status = 'ready'
  and wake_at <= statement_timestamp())
  or (status = 'running'
  and lease_until < statement_timestamp()
  and not id = any($7::uuid[])))
  for update skip locked)
  returning "workspace_id", "id", "session_id", "user_id", "kind", "principal", "step", "attempts", "position", "lease_epoch", "active_ms", "budget_usd_micros", "cancel_requested_at", "reason";
update "agent_run"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = 'running', position = position + case when lease_owner is null then 0 else $3::bigint end
  where workspace_id = $4
  and id = ( select id
  from agent_run
  where workspace_id = $5
  and id = $6
  and ((status = 'ready'
  and wake_at <= statement_timestamp())
  or (status = 'running'
  and lease_until < statement_timestamp()
  and not id = any($7::uuid[])))
  for update )
  returning "workspace_id", "id", "session_id", "user_id", "kind", "principal", "step", "attempts", "position", "lease_epoch", "active_ms", "budget_usd_micros", "cancel_requested_at", "reason";

-- db/agent/runs.ts runLeases.findClaimable
select coalesce((select json_agg(due)
  from ( (select workspace_id, id
  from ( select workspace_id, id, "wake_at" as since, row_number() over (partition by workspace_id
  order by "wake_at") as turn
  from "agent_run"
  where status = 'ready'
  and wake_at <= now()) as waiting
  order by turn, since
  limit $1)
  union all (select workspace_id, id
  from ( select workspace_id, id, "lease_until" as since, row_number() over (partition by workspace_id
  order by "lease_until") as turn
  from "agent_run"
  where status = 'running'
  and lease_until < statement_timestamp()
  and not id = any($2::uuid[])) as waiting
  order by turn, since
  limit $3)) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "agent_run"
  where "status" in ('running')
  and lease_until >= now()
  and not id = any($4::uuid[])) as lapses_in_ms;
select coalesce((select json_agg(due)
  from ( (select workspace_id, id
  from ( select workspace_id, id, "wake_at" as since, row_number() over (partition by workspace_id
  order by "wake_at") as turn
  from "agent_run"
  where ((status = 'ready'
  and wake_at <= now())
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2)
  union all (select workspace_id, id
  from ( select workspace_id, id, "lease_until" as since, row_number() over (partition by workspace_id
  order by "lease_until") as turn
  from "agent_run"
  where ((status = 'running'
  and lease_until < statement_timestamp()
  and not id = any($3::uuid[]))
  and "workspace_id" = any($4::uuid[]))) as waiting
  order by turn, since
  limit $5)) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "agent_run"
  where (("status" in ('running')
  and lease_until >= now()
  and not id = any($6::uuid[]))
  and "workspace_id" = any($7::uuid[]))) as lapses_in_ms;

-- db/agent/runs.ts runLeases.releaseLease
update "agent_run"
  set lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1, attempts = 0
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('running');

-- db/agent/runs.ts runLeases.renew
with held as materialized ( select id
  from agent_run
  where workspace_id = $1
  and id = any($2::uuid[])
  and lease_owner = $3
  and status = 'running'
  order by id
  for update) update agent_run
  set lease_until = statement_timestamp() + make_interval(secs => $4)
  from held
  where agent_run.workspace_id = $5
  and agent_run.id = held.id
  returning agent_run.id, agent_run.lease_epoch;

-- db/agent/runs.ts sumUsage
select count(*)::integer as "model_calls", coalesce(sum("input_tokens"), 0)::bigint as "input_tokens", coalesce(sum("output_tokens"), 0)::bigint as "output_tokens", coalesce(sum("cache_read_tokens"), 0)::bigint as "cache_read_tokens", coalesce(sum("cost_usd_micros"), 0)::bigint as "cost_usd_micros", max("model") as "model"
  from "agent_usage"
  where "workspace_id" = $1
  and "run_id" = $2;

-- db/agent/runs.ts waitForDecision
begin;
select "id", "cancel_requested_at"
  from "agent_run"
  where "workspace_id" = $1
  and "id" = $2
  and "lease_epoch" = $3
  and "status" = $4
  for update;
commit;
select "id"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "run_id" = $2
  and "status" in ($3, $4, $5, $6, $7)
  and "result_model" is null
  limit 1;
update "agent_run"
  set "status" = $1, "lease_owner" = $2, "lease_until" = $3, "attempts" = $4
  where "workspace_id" = $5
  and "id" = $6;

-- db/agent/sessions.ts changeModel
update "agent_session"
  set "model" = $1, "model_since" = "next_message"
  where "workspace_id" = $2
  and "id" = $3
  and "model" = $4
  returning "model_since";

-- db/agent/sessions.ts deleteSession
update "agent_session"
  set "deleted_at" = now()
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3
  and "deleted_at" is null
  returning "id";

-- db/agent/sessions.ts dropOwnModel
update "agent_session"
  set "own_model" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "own_model" = $4;

-- db/agent/sessions.ts findOwnModel
select "own_model"
  from "agent_session"
  where "workspace_id" = $1
  and "id" = $2
  and "user_id" = $3;

-- db/agent/sessions.ts findSession
select "s"."id", "s"."title", "s"."title_source", "s"."created_at", "s"."last_activity_at", "s"."model", "s"."own_model", "s"."effort", "s"."thinking", "s"."spent_usd_micros", s.pinned_at is not null as "pinned", exists (select 1
  from agent_share a
  where a.workspace_id = $1
  and a.session_id = s.id) as "shared", "s"."context_tokens", "r"."id" as "run_id", "r"."status" as "run_status", ( select count(*)::integer
  from agent_confirmation c
  where c.workspace_id = $2
  and c.user_id = s.user_id
  and c.session_id = s.id
  and c.status = 'pending'
  and c.expires_at > now()) as "pending_confirmations"
  from "agent_session" as "s"
  left join "agent_run" as "r" on "r"."workspace_id" = "s"."workspace_id"
  and "r"."session_id" = "s"."id"
  and "r"."status" in ('ready', 'running', 'awaiting_confirmation')
  where "s"."workspace_id" = $3
  and "s"."user_id" = $4
  and "s"."deleted_at" is null
  and "s"."id" = $5;

-- db/agent/sessions.ts findSessionForRun
select "s"."id", "s"."title", "s"."model", "s"."own_model", "s"."effort", "s"."thinking", "s"."next_message", "s"."spent_usd_micros", "s"."budget_usd_micros", "s"."model_since", "s"."context_tokens", "s"."context_characters", "p"."text" as "system"
  from "agent_session" as "s"
  inner join "agent_prompt" as "p" on "p"."workspace_id" = "s"."workspace_id"
  and "p"."hash" = "s"."system_hash"
  where "s"."workspace_id" = $1
  and "s"."id" = $2;

-- db/agent/sessions.ts listSessions
select ('{"id":' || '"' || "s"."id" || '"' || ',"title":' || coalesce(to_json("s"."title")::text, 'null') || ',"title_source":' || '"' || "s"."title_source" || '"' || ',"created_at":' || coalesce('"' || to_char("s"."created_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"last_activity_at":' || coalesce('"' || to_char("s"."last_activity_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"live_run":' || case when r.id is null then 'null' else ('{"run_id":' || '"' || "r"."id" || '"' || ',"status":' || '"' || "r"."status" || '"' || ',"stream_url":' || '"/api/v1/agent/sessions/' || s.id || '/stream"' || '}') end || ',"pending_confirmations":' || ( select count(*)::integer
  from agent_confirmation c
  where c.workspace_id = $1
  and c.user_id = s.user_id
  and c.session_id = s.id
  and c.status = 'pending'
  and c.expires_at > now()) || ',"pinned":' || case when s.pinned_at is null then 'false' else 'true' end || ',"excerpt":' || coalesce(( select to_json(substr(m.search_text, greatest(1, strpos(lower(m.search_text), lower($2::text)) - 40), 160))::text
  from agent_message m
  where m.workspace_id = $3
  and m.session_id = s.id
  and "m"."search_text" ilike all($4::text[])
  order by m.seq desc
  limit 1), 'null') || '}') as "item", "s"."id", to_char(s.last_activity_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursor_at"
  from "agent_session" as "s"
  left join "agent_run" as "r" on "r"."workspace_id" = "s"."workspace_id"
  and "r"."session_id" = "s"."id"
  and "r"."status" in ('ready', 'running', 'awaiting_confirmation')
  where "s"."workspace_id" = $5
  and "s"."user_id" = $6
  and "s"."deleted_at" is null
  and "s"."kind" = 'chat'
  and (s.last_activity_at, s.id) < ($7::timestamptz, $8::uuid)
  and "s"."pinned_at" is null
  and ("s"."title" ilike all($9::text[])
  or exists (select "m"."id"
  from "agent_message" as "m"
  where "m"."workspace_id" = $10
  and "m"."session_id" = "s"."id"
  and "m"."search_text" ilike all($11::text[])))
  order by "s"."last_activity_at" desc, "s"."id" desc
  limit 1;
select ('{"id":' || '"' || "s"."id" || '"' || ',"title":' || coalesce(to_json("s"."title")::text, 'null') || ',"title_source":' || '"' || "s"."title_source" || '"' || ',"created_at":' || coalesce('"' || to_char("s"."created_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"last_activity_at":' || coalesce('"' || to_char("s"."last_activity_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"live_run":' || case when r.id is null then 'null' else ('{"run_id":' || '"' || "r"."id" || '"' || ',"status":' || '"' || "r"."status" || '"' || ',"stream_url":' || '"/api/v1/agent/sessions/' || s.id || '/stream"' || '}') end || ',"pending_confirmations":' || ( select count(*)::integer
  from agent_confirmation c
  where c.workspace_id = $1
  and c.user_id = s.user_id
  and c.session_id = s.id
  and c.status = 'pending'
  and c.expires_at > now()) || ',"pinned":' || case when s.pinned_at is null then 'false' else 'true' end || ',"excerpt":' || coalesce(( select to_json(substr(m.search_text, greatest(1, strpos(lower(m.search_text), lower($2::text)) - 40), 160))::text
  from agent_message m
  where m.workspace_id = $3
  and m.session_id = s.id
  and "m"."search_text" ilike all($4::text[])
  order by m.seq desc
  limit 1), 'null') || '}') as "item", "s"."id", to_char(s.last_activity_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursor_at"
  from "agent_session" as "s"
  left join "agent_run" as "r" on "r"."workspace_id" = "s"."workspace_id"
  and "r"."session_id" = "s"."id"
  and "r"."status" in ('ready', 'running', 'awaiting_confirmation')
  where "s"."workspace_id" = $5
  and "s"."user_id" = $6
  and "s"."deleted_at" is null
  and "s"."kind" = 'chat'
  and (s.last_activity_at, s.id) < ($7::timestamptz, $8::uuid)
  and "s"."pinned_at" is not null
  and ("s"."title" ilike all($9::text[])
  or exists (select "m"."id"
  from "agent_message" as "m"
  where "m"."workspace_id" = $10
  and "m"."session_id" = "s"."id"
  and "m"."search_text" ilike all($11::text[])))
  order by "s"."last_activity_at" desc, "s"."id" desc
  limit 1;
select ('{"id":' || '"' || "s"."id" || '"' || ',"title":' || coalesce(to_json("s"."title")::text, 'null') || ',"title_source":' || '"' || "s"."title_source" || '"' || ',"created_at":' || coalesce('"' || to_char("s"."created_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"last_activity_at":' || coalesce('"' || to_char("s"."last_activity_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"live_run":' || case when r.id is null then 'null' else ('{"run_id":' || '"' || "r"."id" || '"' || ',"status":' || '"' || "r"."status" || '"' || ',"stream_url":' || '"/api/v1/agent/sessions/' || s.id || '/stream"' || '}') end || ',"pending_confirmations":' || ( select count(*)::integer
  from agent_confirmation c
  where c.workspace_id = $1
  and c.user_id = s.user_id
  and c.session_id = s.id
  and c.status = 'pending'
  and c.expires_at > now()) || ',"pinned":' || case when s.pinned_at is null then 'false' else 'true' end || '}') as "item", "s"."id", to_char(s.last_activity_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursor_at"
  from "agent_session" as "s"
  left join "agent_run" as "r" on "r"."workspace_id" = "s"."workspace_id"
  and "r"."session_id" = "s"."id"
  and "r"."status" in ('ready', 'running', 'awaiting_confirmation')
  where "s"."workspace_id" = $2
  and "s"."user_id" = $3
  and "s"."deleted_at" is null
  and "s"."kind" = 'chat'
  order by "s"."last_activity_at" desc, "s"."id" desc
  limit 1;

-- db/agent/sessions.ts lockSession
select "id"
  from "agent_session"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3
  and "deleted_at" is null
  for update;

-- db/agent/sessions.ts setChosen
update "agent_session"
  set "own_model" = $1, "effort" = $2, "thinking" = $3
  where "workspace_id" = $4
  and "id" = $5;
update "agent_session"
  set
  where "workspace_id" = $1
  and "id" = $2;

-- db/agent/sessions.ts setPinned
update "agent_session"
  set "pinned_at" = $1
  where "workspace_id" = $2
  and "id" = $3;
update "agent_session"
  set "pinned_at" = now()
  where "workspace_id" = $1
  and "id" = $2;

-- db/agent/sessions.ts setTitle
update "agent_session"
  set "title" = case when title_source = 'user' then title else $1 end, "title_source" = case when title_source = 'user' then 'user' else $2 end
  where "workspace_id" = $3
  and "user_id" = $4
  and "id" = $5
  and "deleted_at" is null
  returning "title";
update "agent_session"
  set "title" = $1, "title_source" = $2
  where "workspace_id" = $3
  and "user_id" = $4
  and "id" = $5
  and "deleted_at" is null
  returning "title";

-- db/agent/start-firing.ts countLive
select count(*) as "count"
  from "agent_run"
  where "workspace_id" = $1
  and "user_id" = $2
  and "kind" = $3
  and "status" in ($4, $5);

-- db/agent/start-firing.ts noteResolved
begin;
select "session_id", "run_id"
  from "agent_trigger_firing"
  where "workspace_id" = $1
  and "id" = $2
  and "resolved_at" is not null
  and "noted_at" is null
  for update;
commit;
select "next_message"
  from "agent_session"
  where "workspace_id" = $1
  and "id" = $2
  for update;
select "id"
  from "agent_run"
  where "workspace_id" = $1
  and "session_id" = $2
  and "status" in ($3, $4, $5);

-- db/agent/start-firing.ts startFiringRun
begin;
update "agent_trigger_firing"
  set "status" = $1, "session_id" = $2, "run_id" = $3, "started_at" = now()
  where "workspace_id" = $4
  and "id" = $5
  and "status" = $6
  returning "id";
commit;
insert into "agent_prompt" ("workspace_id", "hash", "text")
  values ($1, $2, $3)
  on conflict do nothing;
insert into "agent_session" ("workspace_id", "id", "user_id", "title", "title_source", "model", "system_hash", "next_message", "budget_usd_micros")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
insert into "agent_message" ("workspace_id", "session_id", "id", "run_id", "seq", "role", "content", "search_text", "stop_reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
insert into "agent_run" ("workspace_id", "id", "session_id", "user_id", "principal", "status", "reason", "lease_owner", "idempotency_key", "request_hash", "budget_usd_micros")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
update "agent_trigger"
  set "last_run_at" = now()
  where "workspace_id" = $1
  and "id" = $2;
insert into "audit" ("id", "workspace_id", "user_id", "via", "via_id", "operation", "target", "outcome", "status", "remote_address", "request_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
select pg_notify($1, $2) as "notified";

-- db/agent/start-run.ts findPrompt
select "text"
  from "agent_prompt"
  where "workspace_id" = $1
  and "hash" = $2;

-- db/agent/start-run.ts listRunsByKey
select run.id, run.session_id, run.status, run.request_hash, wanted.user_id, wanted.key
  from unnest($1::uuid[], $2::text[]) as wanted(user_id, key) join agent_run as run on run.workspace_id = $3::uuid
  and run.user_id = wanted.user_id
  and run.idempotency_key = wanted.key;

-- db/agent/start-run.ts savePrompt
insert into "agent_prompt" ("workspace_id", "hash", "text")
  values ($1, $2, $3)
  on conflict do nothing;

-- db/agent/start-run.ts startInNewSession
with given as materialized ( select g.*, row_number() over (partition by g.user_id
  order by g.run_id) - 1 as before
  from json_to_recordset($2::json) as g(user_id uuid, session_id uuid, run_id uuid, message_id uuid, principal json, content json, search_text text, idempotency_key text, request_hash text, budget_usd_micros bigint, lease_owner uuid, lease_s double precision, max_live integer, max_waiting integer, model text, own_model text, effort text, thinking text, request_id text, remote_address text, via text, via_id uuid, preferences text, system_hash text, title text, session_budget bigint)), live as materialized ( select person.user_id, runs.live, runs.waiting, preferred.found
  from (select distinct user_id
  from given) as person, lateral (select coalesce(string_agg(id || ' ' || version, ','
  order by id), '') as found
  from agent_preference
  where workspace_id = $1::uuid
  and user_id = person.user_id offset 0) as preferred, lateral (select count(*) filter (where status <> 'awaiting_confirmation')::integer as live, count(*) filter (where status = 'awaiting_confirmation')::integer as waiting
  from agent_run
  where workspace_id = $1::uuid
  and user_id = person.user_id
  and status in ('ready', 'running', 'awaiting_confirmation')
  and kind = 'chat' offset 0) as runs), counted as materialized ( select given.*, live.live + given.before as live, live.waiting, coalesce(preferences = found, true) as prefers
  from given join live using (user_id), (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), session as ( insert into agent_session as made (workspace_id, id, user_id, title, title_source, model, own_model, effort, thinking, system_hash, next_message, budget_usd_micros) select home.workspace_id, session_id, user_id, title, 'fallback', coalesce(own_model, model), own_model, effort, thinking, system_hash, 2, session_budget
  from counted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  where prefers
  and live < max_live
  and waiting < max_waiting
  returning id, model, model_since, effort, thinking, system_hash, title, spent_usd_micros, budget_usd_micros), admitted as (select counted.*
  from counted join session on session.id = counted.session_id, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), message as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text) select home.workspace_id, session_id, message_id, run_id, 1, 'user', content, search_text
  from admitted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), run as ( insert into agent_run as made (workspace_id, id, session_id, user_id, principal, status, attempts, lease_owner, lease_epoch, lease_until, idempotency_key, request_hash, budget_usd_micros) select home.workspace_id, run_id, session_id, user_id, principal, 'running', 0, lease_owner, 1, now() + make_interval(secs => lease_s), idempotency_key, decode(request_hash, 'hex'), budget_usd_micros
  from admitted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  returning id, session_id, created_at), audited as ( insert into audit (workspace_id, id, user_id, via, via_id, operation, target, outcome, status, remote_address, request_id) select home.workspace_id, run_id, user_id, via, via_id, 'chat', session_id::text, 'succeeded', 200, remote_address, request_id
  from admitted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select counted.run_id as wanted, counted.live::integer, counted.waiting, prefers, run.id as run_id, 1::bigint as seq, session.model, session.model_since, session.effort, session.thinking, session.system_hash, session.title, session.spent_usd_micros as spent, session.budget_usd_micros as budget, run.created_at
  from counted
  left join session on session.id = counted.session_id
  left join run on run.session_id = session.id, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home;

-- db/agent/start-run.ts startInNewSessions
with given as materialized ( select g.*, row_number() over (partition by g.user_id
  order by g.run_id) - 1 as before
  from json_to_recordset($2::json) as g(user_id uuid, session_id uuid, run_id uuid, message_id uuid, principal json, content json, search_text text, idempotency_key text, request_hash text, budget_usd_micros bigint, lease_owner uuid, lease_s double precision, max_live integer, max_waiting integer, model text, own_model text, effort text, thinking text, request_id text, remote_address text, via text, via_id uuid, preferences text, system_hash text, title text, session_budget bigint)), live as materialized ( select person.user_id, runs.live, runs.waiting, preferred.found
  from (select distinct user_id
  from given) as person, lateral (select coalesce(string_agg(id || ' ' || version, ','
  order by id), '') as found
  from agent_preference
  where workspace_id = $1::uuid
  and user_id = person.user_id offset 0) as preferred, lateral (select count(*) filter (where status <> 'awaiting_confirmation')::integer as live, count(*) filter (where status = 'awaiting_confirmation')::integer as waiting
  from agent_run
  where workspace_id = $1::uuid
  and user_id = person.user_id
  and status in ('ready', 'running', 'awaiting_confirmation')
  and kind = 'chat' offset 0) as runs), counted as materialized ( select given.*, live.live + given.before as live, live.waiting, coalesce(preferences = found, true) as prefers
  from given join live using (user_id), (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), session as ( insert into agent_session as made (workspace_id, id, user_id, title, title_source, model, own_model, effort, thinking, system_hash, next_message, budget_usd_micros) select home.workspace_id, session_id, user_id, title, 'fallback', coalesce(own_model, model), own_model, effort, thinking, system_hash, 2, session_budget
  from counted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  where prefers
  and live < max_live
  and waiting < max_waiting
  returning id, model, model_since, effort, thinking, system_hash, title, spent_usd_micros, budget_usd_micros), admitted as (select counted.*
  from counted join session on session.id = counted.session_id, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), message as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text) select home.workspace_id, session_id, message_id, run_id, 1, 'user', content, search_text
  from admitted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home), run as ( insert into agent_run as made (workspace_id, id, session_id, user_id, principal, status, attempts, lease_owner, lease_epoch, lease_until, idempotency_key, request_hash, budget_usd_micros) select home.workspace_id, run_id, session_id, user_id, principal, 'running', 0, lease_owner, 1, now() + make_interval(secs => lease_s), idempotency_key, decode(request_hash, 'hex'), budget_usd_micros
  from admitted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home
  returning id, session_id, created_at), audited as ( insert into audit (workspace_id, id, user_id, via, via_id, operation, target, outcome, status, remote_address, request_id) select home.workspace_id, run_id, user_id, via, via_id, 'chat', session_id::text, 'succeeded', 200, remote_address, request_id
  from admitted, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home) select counted.run_id as wanted, counted.live::integer, counted.waiting, prefers, run.id as run_id, 1::bigint as seq, session.model, session.model_since, session.effort, session.thinking, session.system_hash, session.title, session.spent_usd_micros as spent, session.budget_usd_micros as budget, run.created_at
  from counted
  left join session on session.id = counted.session_id
  left join run on run.session_id = session.id, (select id as workspace_id
  from workspace
  where id = $1::uuid) as home;

-- db/agent/start-run.ts startInSession
with live as ( select count(*) filter (where status <> 'awaiting_confirmation')::integer as live, count(*) filter (where status = 'awaiting_confirmation')::integer as waiting
  from agent_run
  where workspace_id = $1::uuid
  and user_id = $2::uuid
  and status in ('ready', 'running', 'awaiting_confirmation')
  and kind = 'chat'
  and session_id <> $3::uuid), preferred as materialized ( select coalesce($4::text = found, true) as prefers
  from (select coalesce(string_agg(id || ' ' || version, ','
  order by id), '') as found
  from agent_preference
  where workspace_id = $1::uuid
  and user_id = $2::uuid offset 0) as preferred), session as ( update agent_session
  set next_message = next_message + 1, last_activity_at = now(), model = coalesce(own_model, $5), model_since = case when model = coalesce(own_model, $5) then model_since else next_message end
  from live, preferred
  where workspace_id = $1::uuid
  and id = $3::uuid
  and user_id = $2::uuid
  and deleted_at is null
  and prefers
  and live.live < $6::integer
  and live.waiting < $7::integer
  returning id, next_message - 1 as seq, model, model_since, effort, thinking, system_hash, title, spent_usd_micros, budget_usd_micros, context_tokens, context_characters), message as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text) select $1::uuid, id, $9::uuid, $8::uuid, seq, 'user', $10::json, $11
  from session), run as ( insert into agent_run (workspace_id, id, session_id, user_id, principal, status, attempts, lease_owner, lease_epoch, lease_until, idempotency_key, request_hash, budget_usd_micros) select $1::uuid, $8::uuid, id, $2::uuid, $12::json, 'running', 0, $13::uuid, 1, now() + make_interval(secs => $14), $15, $16::bytea, $17::bigint
  from session
  returning id, created_at), audited as ( insert into audit (workspace_id, id, user_id, via, via_id, operation, target, outcome, status, remote_address, request_id) select $1::uuid, $8::uuid, $2::uuid, $18, $19::uuid, 'chat', id::text, 'succeeded', 200, $20, $21
  from session) select live.live, live.waiting, prefers, run.id as run_id, session.seq, session.model, session.model_since, session.system_hash, session.title, session.spent_usd_micros as spent, session.budget_usd_micros as budget, session.effort, session.thinking, session.context_tokens, session.context_characters, run.created_at
  from preferred cross join live
  left join session on true
  left join run on true;

-- db/agent/taint.ts findTaint
select (select "kind"
  from "agent_session"
  where "workspace_id" = $1
  and "id" = $2) as "kind", (select max("decided_at") as "decided_at"
  from "agent_confirmation"
  where "workspace_id" = $3
  and "session_id" = $4
  and "kind" = $5
  and "status" in ($6, $7)) as "decided_at", (exists (select 1 as "one"
  from "agent_run"
  where "workspace_id" = $8
  and "id" = $9
  and principal->>'firing_id' is not null)
  or exists (select 1 as "one"
  from "agent_trigger_proposal"
  where "workspace_id" = $10
  and "run_id" = $11)) as "trigger";

-- db/agent/taint.ts hasReadSince
select (exists (select 1 as "one"
  from "agent_tool_call"
  where "workspace_id" = $1
  and "session_id" = $2
  and "status" <> $3
  and "finished_at" > coalesce($4::timestamptz, '-infinity')
  and (name = any($5::text[])
  or position($6 in name) > 0))
  or exists (select 1 as "one"
  from "agent_message"
  where "workspace_id" = $7
  and "session_id" = $8
  and "created_at" > coalesce($9::timestamptz, '-infinity')
  and content::text like '%"type":"attachment"%')
  or exists (select 1 as "one"
  from "agent_trigger_firing"
  where "workspace_id" = $10
  and "session_id" = $11
  and greatest(created_at, started_at, noted_at) > coalesce($12::timestamptz, '-infinity'))) as "tainted";

-- db/agent/tool-calls.ts findOwnCall
select "c"."id", "c"."session_id", "c"."run_id", "c"."name", "c"."input", "c"."effective_input", "c"."effect", "c"."status", "c"."decided_by", "c"."http_status", "c"."result", "c"."truncated", "c"."created_at", "c"."finished_at"
  from "agent_tool_call" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  where "c"."workspace_id" = $1
  and "s"."user_id" = $2
  and "s"."deleted_at" is null
  and "c"."id" = $3;

-- db/agent/tool-calls.ts findWaitingCall
select "c"."id", "c"."run_id"
  from "agent_tool_call" as "c"
  inner join "agent_run" as "r" on "r"."workspace_id" = "c"."workspace_id"
  and "r"."id" = "c"."run_id"
  where "c"."workspace_id" = $1
  and "r"."user_id" = $2
  and "r"."kind" = $3
  and "c"."input_digest" = $4
  and "c"."status" = $5;

-- db/agent/tool-calls.ts startToolCallRun
with waiting as ( select count(*)::integer as waiting
  from agent_run r join agent_tool_call c on c.workspace_id = r.workspace_id
  and c.run_id = r.id
  where r.workspace_id = $1
  and r.user_id = $2
  and r.kind = 'tool_call'
  and r.status in ('ready', 'running', 'awaiting_confirmation')
  and c.result_model is null), session as ( insert into agent_session (workspace_id, id, user_id, kind, title, title_source, model, system_hash, next_message, budget_usd_micros) select $3::uuid, $4::uuid, $5::uuid, 'tool_call', $6, 'fallback', $7, $8, 2, 0
  from waiting
  where waiting + $9::integer <= $10::integer
  returning id), message as ( insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content) select $11::uuid, id, $12::uuid, $13::uuid, 1, 'user', $14::json
  from session) insert into agent_run (workspace_id, id, session_id, user_id, kind, principal, status, attempts, lease_owner, lease_epoch, lease_until, budget_usd_micros) select $15::uuid, $16::uuid, id, $17::uuid, 'tool_call', $18::json, 'running', 0, $19::uuid, 1, now() + make_interval(secs => $20), 0
  from session
  returning id;

-- db/agent/triggers.ts deleteTrigger
delete from "agent_trigger"
  where "workspace_id" = $1
  and "id" = $2
  and "revision" = $3
  returning "id";

-- db/agent/triggers.ts dueTriggers.claim
select "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at"
  from "agent_trigger"
  where "workspace_id" = $1
  and "id" = $2
  and enabled
  and next_at <= statement_timestamp();

-- db/agent/triggers.ts dueTriggers.listLate
select workspace_id, id
  from ( select workspace_id, id, "next_at" as since, row_number() over (partition by workspace_id
  order by "next_at") as turn
  from "agent_trigger"
  where enabled
  and next_at <= now() - interval '5 seconds') as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "next_at" as since, row_number() over (partition by workspace_id
  order by "next_at") as turn
  from "agent_trigger"
  where ((enabled
  and next_at <= now() - interval '5 seconds')
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/agent/triggers.ts findOwnTrigger
select "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at"
  from "agent_trigger"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3;

-- db/agent/triggers.ts findTrigger
select "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at"
  from "agent_trigger"
  where "workspace_id" = $1
  and "id" = $2;

-- db/agent/triggers.ts insertTrigger
insert into "agent_trigger" ("app_id", "budget_usd_micros", "cron", "enabled", "id", "kind", "last_run_at", "min_impact_usd", "name", "next_at", "off_reason", "principal", "question", "revision", "runs_a_day", "secret", "source", "time_zone", "topic_arn", "user_id", "workspace_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
  returning "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at";
insert into "agent_trigger" ("budget_usd_micros", "id", "kind", "name", "principal", "question", "runs_a_day", "user_id", "workspace_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  returning "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at";

-- db/agent/triggers.ts listBuildTriggers
select "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at"
  from "agent_trigger"
  where "workspace_id" = $1
  and "kind" = $2
  and "enabled" = $3
  and ("app_id" is null
  or "app_id" = $4);

-- db/agent/triggers.ts listTriggers
select "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at"
  from "agent_trigger"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at"
  from "agent_trigger"
  where "workspace_id" = $1
  and "user_id" = $2
  order by "id" desc
  limit 1;

-- db/agent/triggers.ts moveOn
update "agent_trigger"
  set "next_at" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "next_at" = $4
  and enabled
  and next_at <= statement_timestamp()
  returning "id";

-- db/agent/triggers.ts secondsUntilDue
select greatest(extract(epoch
  from next_at - statement_timestamp()), 0)::float8 as "seconds"
  from "agent_trigger"
  where "workspace_id" = $1
  and "id" = $2
  and "enabled" = $3
  and "next_at" is not null;

-- db/agent/triggers.ts turnOff
update "agent_trigger"
  set "enabled" = $1, "off_reason" = $2, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $3
  and "id" = $4
  and "enabled" = $5;

-- db/agent/triggers.ts updateTrigger
update "agent_trigger"
  set "budget_usd_micros" = $1, "cron" = $2, "enabled" = $3, "min_impact_usd" = $4, "name" = $5, "next_at" = $6, "off_reason" = $7, "principal" = $8, "question" = $9, "runs_a_day" = $10, "secret" = $11, "time_zone" = $12, "topic_arn" = $13, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $14
  and "id" = $15
  and "revision" = $16
  returning "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at";
update "agent_trigger"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and "revision" = $3
  returning "workspace_id", "id", "user_id", "principal", "kind", "name", "question", "cron", "time_zone", "source", "topic_arn", "app_id", "min_impact_usd", "secret", "enabled", "off_reason", "budget_usd_micros", "runs_a_day", "next_at", "last_run_at", "revision", "created_at", "updated_at";

-- db/agent/votes.ts deleteVote
delete from "agent_vote"
  where "workspace_id" = $1
  and "confirmation_id" = $2
  and "user_id" = $3;

-- db/agent/votes.ts findStepsOfCall
select "steps"
  from "agent_confirmation"
  where "workspace_id" = $1
  and "tool_call_id" = $2
  and "steps" is not null
  order by "id" desc
  limit 1;

-- db/agent/votes.ts insertVote
insert into "agent_vote" ("workspace_id", "confirmation_id", "decision", "for_user_id", "input_digest", "let_in_by", "reason", "signed_with", "user_id", "via", "via_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- db/agent/votes.ts listSteps
select "c"."id", "c"."user_id", "c"."kind", "c"."session_id", "c"."run_id", "c"."tool_call_id", "c"."status", "c"."close_reason", "c"."name", "c"."arguments", "c"."target", "c"."facts", "c"."summary", "c"."preview", "c"."risk", "c"."risk_reasons", "c"."editable", "c"."input_digest", "c"."proposed", "c"."authors", "c"."replaces", "c"."thread_id", "c"."requirement", "c"."steps", "c"."requested_at", "c"."expires_at", "c"."decided_at", "c"."decided_by", "c"."reason", "c"."changes", coalesce(c.requested_at + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false) as "escalated", "s"."title" as "session_title", "t"."status" as "call_status", "t"."finished_at"
  from "agent_confirmation" as "c"
  inner join "agent_session" as "s" on "s"."workspace_id" = "c"."workspace_id"
  and "s"."id" = "c"."session_id"
  inner join "agent_tool_call" as "t" on "t"."workspace_id" = "c"."workspace_id"
  and "t"."id" = "c"."tool_call_id"
  where "c"."workspace_id" = $1
  and "c"."run_id" = $2
  and c.steps->>'id' = $3
  and "s"."deleted_at" is null
  order by (c.steps->>'step')::integer;

-- db/agent/votes.ts listVotes
select "confirmation_id", "user_id", "for_user_id", "decision", "reason", "input_digest", "via", "let_in_by", "signed_with", "created_at"
  from "agent_vote"
  where "workspace_id" = $1
  and "confirmation_id" = any($2)
  order by "created_at", "user_id";

-- db/agent/votes.ts markStep
update "agent_confirmation"
  set "steps" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "status" = $4;

-- db/archived-tables.ts listArchivedTables
select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, array_position(i.indkey::int2[], a.attnum) as key, a.attcollation <> 0 as "isText", a.attnotnull
  and not a.atthasdef as required
  from pg_class c join pg_index i on i.indrelid = c.oid
  and i.indisprimary join pg_attribute a on a.attrelid = c.oid
  and a.attnum > 0
  and not a.attisdropped
  and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace
  and c.relkind = 'r'
  order by c.relname, a.attname;
select c.relname as name, case when c.relname = 'workspace' then 'id' else (select attname::text
  from pg_attribute a
  where a.attrelid = c.oid
  and a.attname = 'workspace_id'
  and not a.attisdropped) end as by, array(select distinct f.confrelid::regclass::text
  from pg_constraint f
  where f.conrelid = c.oid
  and f.contype = 'f'
  and f.confrelid <> c.oid) as refers_to
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
  and c.relkind = 'r'
  and c.relname not like 'kysely%'
  and not exists (select
  from pg_depend d
  where d.classid = 'pg_class'::regclass
  and d.objid = c.oid
  and d.deptype = 'e')
  order by c.relname;

-- db/archived-tables.ts listMigrations
select name
  from kysely_migration
  order by name collate "C";

-- db/audit.ts insertAudit
insert into "audit" ("id", "kind", "operation", "outcome", "remote_address", "request_id", "status", "target", "user_id", "via", "via_id", "workspace_id", "write_id", "body")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);
insert into "audit" ("id", "operation", "outcome", "request_id", "via", "workspace_id")
  values ($1, $2, $3, $4, $5, $6);

-- db/channels/channels.ts confirmByCode
update "channel"
  set "code_tries" = "code_tries" + 1
  where "workspace_id" = $1
  and "id" = $2
  and "code_tries" < $3
  returning "id";
update "channel"
  set "confirmed_at" = now(), "code_hash" = $1, "code_until" = $2, "updated_at" = now()
  where "workspace_id" = $3
  and "id" = $4
  and "code_hash" = $5
  and "code_until" > statement_timestamp();

-- db/channels/channels.ts countChannels
select count(*)::integer as "count"
  from "channel"
  where "workspace_id" = $1
  and "user_id" = $2;

-- db/channels/channels.ts deleteChannel
delete from "channel"
  where "workspace_id" = $1
  and "id" = $2;

-- db/channels/channels.ts findChannel
select "workspace_id", "id", "user_id", "kind", "name", "address", "secret", "events", "quiet", "digest", "confirmed_at", "enabled", "off_reason", "attempts", "failing_since", "paused_until", "last_error", "last_sent_at", "revision", "created_at", "updated_at"
  from "channel"
  where "workspace_id" = $1
  and "id" = $2;

-- db/channels/channels.ts findLinked
select "workspace_id", "id", "user_id", "kind", "name", "address", "secret", "events", "quiet", "digest", "confirmed_at", "enabled", "off_reason", "attempts", "failing_since", "paused_until", "last_error", "last_sent_at", "revision", "created_at", "updated_at"
  from "channel"
  where "workspace_id" = $1
  and "kind" = $2
  and "address" = $3
  and "confirmed_at" is not null
  order by "id" desc
  limit 1;

-- db/channels/channels.ts findPushKey
select "id", "public_key", "secret"
  from "channel_push_key"
  where "workspace_id" = $1
  and "retired_at" is null;

-- db/channels/channels.ts forgetChannelSecret
update "channel"
  set "secret" = $1, "enabled" = $2, "off_reason" = $3
  where "workspace_id" = $4
  and "id" = $5;

-- db/channels/channels.ts insertChannel
insert into "channel" ("address", "code_hash", "id", "kind", "name", "secret", "user_id", "events", "quiet", "digest", "next_digest_at", "workspace_id", "code_until")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, statement_timestamp() + make_interval(secs => $13));
insert into "channel_look" ("workspace_id")
  values ($1)
  on conflict do nothing;
insert into "channel" ("address", "code_hash", "id", "kind", "name", "secret", "user_id", "events", "quiet", "digest", "next_digest_at", "workspace_id", "confirmed_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now());

-- db/channels/channels.ts insertPushKey
insert into "channel_push_key" ("workspace_id", "id", "public_key", "secret")
  values ($1, $2, $3, $4)
  on conflict ("workspace_id")
  where "retired_at" is null do nothing;

-- db/channels/channels.ts linkByCode
select "workspace_id", "id"
  from "channel"
  where code_hash = $1
  and kind = 'slack'
  and code_until > statement_timestamp();
update "channel"
  set "address" = $1, "confirmed_at" = now(), "code_hash" = $2, "code_until" = $3, "updated_at" = now()
  where "workspace_id" = $4
  and "id" = $5
  and "code_hash" = $6
  returning "workspace_id", "id", "user_id";
select "workspace_id", "id"
  from "channel"
  where ((code_hash = $1
  and kind = 'slack'
  and code_until > statement_timestamp())
  and "workspace_id" = any($2::uuid[]));

-- db/channels/channels.ts listChannels
select "workspace_id", "id", "user_id", "kind", "name", "address", "secret", "events", "quiet", "digest", "confirmed_at", "enabled", "off_reason", "attempts", "failing_since", "paused_until", "last_error", "last_sent_at", "revision", "created_at", "updated_at"
  from "channel"
  where "workspace_id" = $1
  and "user_id" = $2
  order by "id";

-- db/channels/channels.ts listDueDigests
select "workspace_id", "id", "user_id", "kind", "name", "address", "secret", "events", "quiet", "digest", "confirmed_at", "enabled", "off_reason", "attempts", "failing_since", "paused_until", "last_error", "last_sent_at", "revision", "created_at", "updated_at"
  from "channel"
  where enabled
  and next_digest_at <= statement_timestamp()
  limit $1;
select "workspace_id", "id", "user_id", "kind", "name", "address", "secret", "events", "quiet", "digest", "confirmed_at", "enabled", "off_reason", "attempts", "failing_since", "paused_until", "last_error", "last_sent_at", "revision", "created_at", "updated_at"
  from "channel"
  where ((enabled
  and next_digest_at <= statement_timestamp())
  and "workspace_id" = any($1::uuid[]))
  limit $2;

-- db/channels/channels.ts listOpenChannels
select "workspace_id", "id", "user_id", "kind", "name", "address", "secret", "events", "quiet", "digest", "confirmed_at", "enabled", "off_reason", "attempts", "failing_since", "paused_until", "last_error", "last_sent_at", "revision", "created_at", "updated_at"
  from "channel"
  where "workspace_id" = $1
  and "enabled" = $2
  and "confirmed_at" is not null
  order by "id";

-- db/channels/channels.ts markFailing
update "channel"
  set "attempts" = "attempts" + 1, "failing_since" = least("failing_since", statement_timestamp()), "paused_until" = statement_timestamp() + make_interval(secs => $1), "last_error" = $2
  where "workspace_id" = $3
  and "id" = $4;

-- db/channels/channels.ts markWorking
update "channel"
  set "attempts" = $1, "failing_since" = $2, "paused_until" = $3, "last_error" = $4, "last_sent_at" = statement_timestamp()
  where "workspace_id" = $5
  and "id" = $6;

-- db/channels/channels.ts moveDigest
update "channel"
  set "next_digest_at" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "next_digest_at" <= statement_timestamp();

-- db/channels/channels.ts retirePushKey
update "channel_push_key"
  set "retired_at" = now(), "secret" = $1
  where "workspace_id" = $2
  and "id" = $3;

-- db/channels/channels.ts turnOff
update "channel"
  set "enabled" = $1, "off_reason" = $2
  where "workspace_id" = $3
  and "id" = $4;

-- db/channels/channels.ts updateChannel
update "channel"
  set "enabled" = $1, "name" = $2, "off_reason" = $3, "events" = $4, "quiet" = $5, "digest" = $6, "next_digest_at" = $7, "attempts" = $8, "paused_until" = $9, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $10
  and "id" = $11;
update "channel"
  set "attempts" = $1, "paused_until" = $2, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $3
  and "id" = $4;

-- db/channels/clicks.ts claimLook
update "channel_look"
  set "claimed_at" = statement_timestamp()
  where "workspace_id" = $1
  and claimed_at < statement_timestamp() - interval '4 seconds'
  returning "looked_at", "claimed_at";
update "channel_look"
  set "claimed_at" = statement_timestamp()
  where "workspace_id" = $1
  returning "looked_at", "claimed_at";

-- db/channels/clicks.ts deleteClick
delete from "channel_click"
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('active');

-- db/channels/clicks.ts deleteOldRequests
delete from "channel_request"
  where "workspace_id" = $1
  and "created_at" < now() - interval '1 hour';

-- db/channels/clicks.ts dueClicks.claim
with due as (select id, "status" as was
  from "channel_click"
  where workspace_id = $1
  and id = $2
  and (status = 'active'
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp()))
  for update) update "channel_click"
  set attempts = "attempts" + 1, lease_epoch = "lease_epoch" + 1, lease_until = statement_timestamp() + make_interval(secs => $3)
  from due
  where "channel_click"."workspace_id" = $4
  and "channel_click"."id" = due.id
  returning "channel_click"."workspace_id", "channel_click"."id", "channel_click"."click", "channel_click"."attempts", "channel_click"."lease_epoch", due.*;

-- db/channels/clicks.ts dueClicks.listLate
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "channel_click"
  where (status = 'active'
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp()))) as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "channel_click"
  where (((status = 'active'
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp())))
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/channels/clicks.ts insertClick
insert into "channel_click" ("workspace_id", "id", "click")
  values ($1, $2, $3);

-- db/channels/clicks.ts listToLook
select "workspace_id"
  from "channel_look"
  where claimed_at < statement_timestamp() - interval '4 seconds';
select "workspace_id"
  from "channel_look"
  where ((claimed_at < statement_timestamp() - interval '4 seconds')
  and "workspace_id" = any($1::uuid[]));

-- db/channels/clicks.ts putOffClick
update "channel_click"
  set "lease_until" = $1, "next_attempt_at" = statement_timestamp() + make_interval(secs => $2)
  where workspace_id = $3
  and id = $4
  and lease_epoch = $5
  and "status" in ('active');

-- db/channels/clicks.ts settleLook
update "channel_look"
  set "looked_at" = $1
  where "workspace_id" = $2;

-- db/channels/clicks.ts takeRequest
insert into "channel_request" ("workspace_id", "signature")
  values ($1, $2)
  on conflict do nothing;

-- db/channels/deliveries.ts bury
update "channel_delivery"
  set "status" = $1, "attempts" = "attempts" + 1, "last_error" = $2, "lease_until" = $3, "next_attempt_at" = $4
  where workspace_id = $5
  and id = $6
  and lease_epoch = $7
  and "status" in ('active');

-- db/channels/deliveries.ts deleteOldDeliveries
delete from "channel_delivery"
  where wanted <> 'pending'
  and created_at < now() - interval '30 days';
delete from "channel_delivery"
  where ((wanted <> 'pending'
  and created_at < now() - interval '30 days')
  and "workspace_id" = any($1::uuid[]));

-- db/channels/deliveries.ts dueDeliveries.claim
with due as (select id, "status" as was
  from "channel_delivery"
  where workspace_id = $1
  and id = $2
  and (status = 'active'
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp()))
  for update) update "channel_delivery"
  set lease_epoch = "lease_epoch" + 1, lease_until = statement_timestamp() + make_interval(secs => $3)
  from due
  where "channel_delivery"."workspace_id" = $4
  and "channel_delivery"."id" = due.id
  returning "channel_delivery"."workspace_id", "channel_delivery"."id", "channel_delivery"."channel_id", "channel_delivery"."user_id", "channel_delivery"."event", "channel_delivery"."subject_id", "channel_delivery"."facts", "channel_delivery"."wanted", "channel_delivery"."shown", "channel_delivery"."ref", "channel_delivery"."sending_since", "channel_delivery"."status", "channel_delivery"."attempts", "channel_delivery"."last_error", "channel_delivery"."next_attempt_at", "channel_delivery"."lease_epoch", "channel_delivery"."created_at", "channel_delivery"."sent_at", due.*;

-- db/channels/deliveries.ts dueDeliveries.listLate
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "channel_delivery"
  where (status = 'active'
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp()))) as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "channel_delivery"
  where (((status = 'active'
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp())))
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/channels/deliveries.ts endQuestion
update "channel_delivery"
  set "wanted" = $1, "attempts" = $2, "next_attempt_at" = statement_timestamp()
  where "workspace_id" = $3
  and "event" = $4
  and "subject_id" = $5
  and "user_id" = $6
  and "wanted" = $7
  and "status" = $8
  returning "workspace_id", "id";

-- db/channels/deliveries.ts findDelivery
select "workspace_id", "id", "channel_id", "user_id", "event", "subject_id", "facts", "wanted", "shown", "ref", "sending_since", "status", "attempts", "last_error", "next_attempt_at", "lease_epoch", "created_at", "sent_at"
  from "channel_delivery"
  where "workspace_id" = $1
  and "id" = $2;

-- db/channels/deliveries.ts forgetSending
update "channel_delivery"
  set "sending_since" = $1
  where workspace_id = $2
  and id = $3
  and lease_epoch = $4
  and "status" in ('active');

-- db/channels/deliveries.ts insertDeliveries
insert into "channel_delivery" ("channel_id", "event", "facts", "subject_id", "user_id", "wanted", "workspace_id", "id", "next_attempt_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, now())
  on conflict ("workspace_id", "channel_id", "event", "subject_id") do nothing
  returning "workspace_id", "id";

-- db/channels/deliveries.ts listAsked
select "channel_id", "user_id"
  from "channel_delivery"
  where "workspace_id" = $1
  and "event" = $2
  and "subject_id" = $3
  order by "id";

-- db/channels/deliveries.ts listDead
select "delivery"."workspace_id", "delivery"."id", "delivery"."channel_id", "delivery"."user_id", "delivery"."event", "delivery"."subject_id", "delivery"."facts", "delivery"."wanted", "delivery"."shown", "delivery"."ref", "delivery"."sending_since", "delivery"."status", "delivery"."attempts", "delivery"."last_error", "delivery"."next_attempt_at", "delivery"."lease_epoch", "delivery"."created_at", "delivery"."sent_at", "channel"."kind" as "channel_kind", "channel"."name" as "channel_name"
  from "channel_delivery" as "delivery"
  inner join "channel" on "channel"."workspace_id" = $1
  and "channel"."id" = "delivery"."channel_id"
  where "delivery"."workspace_id" = $2
  and "delivery"."status" = $3
  and "delivery"."id" < $4
  order by "delivery"."id" desc
  limit 1;
select "delivery"."workspace_id", "delivery"."id", "delivery"."channel_id", "delivery"."user_id", "delivery"."event", "delivery"."subject_id", "delivery"."facts", "delivery"."wanted", "delivery"."shown", "delivery"."ref", "delivery"."sending_since", "delivery"."status", "delivery"."attempts", "delivery"."last_error", "delivery"."next_attempt_at", "delivery"."lease_epoch", "delivery"."created_at", "delivery"."sent_at", "channel"."kind" as "channel_kind", "channel"."name" as "channel_name"
  from "channel_delivery" as "delivery"
  inner join "channel" on "channel"."workspace_id" = $1
  and "channel"."id" = "delivery"."channel_id"
  where "delivery"."workspace_id" = $2
  and "delivery"."status" = $3
  order by "delivery"."id" desc
  limit 1;

-- db/channels/deliveries.ts listDeliveries
select "workspace_id", "id", "channel_id", "user_id", "event", "subject_id", "facts", "wanted", "shown", "ref", "sending_since", "status", "attempts", "last_error", "next_attempt_at", "lease_epoch", "created_at", "sent_at"
  from "channel_delivery"
  where "workspace_id" = $1
  and "channel_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "workspace_id", "id", "channel_id", "user_id", "event", "subject_id", "facts", "wanted", "shown", "ref", "sending_since", "status", "attempts", "last_error", "next_attempt_at", "lease_epoch", "created_at", "sent_at"
  from "channel_delivery"
  where "workspace_id" = $1
  and "channel_id" = $2
  and "status" = $3
  and "id" < $4
  order by "id" desc
  limit 1;
select "workspace_id", "id", "channel_id", "user_id", "event", "subject_id", "facts", "wanted", "shown", "ref", "sending_since", "status", "attempts", "last_error", "next_attempt_at", "lease_epoch", "created_at", "sent_at"
  from "channel_delivery"
  where "workspace_id" = $1
  and "channel_id" = $2
  and "status" = $3
  order by "id" desc
  limit 1;

-- db/channels/deliveries.ts listOpen
select distinct "user_id", "subject_id"
  from "channel_delivery"
  where "workspace_id" = $1
  and "wanted" = $2;

-- db/channels/deliveries.ts noteSending
update "channel_delivery"
  set "sending_since" = least("sending_since", statement_timestamp())
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('active');

-- db/channels/deliveries.ts putOff
update "channel_delivery"
  set "attempts" = "attempts" + 1, "last_error" = $1, "lease_until" = $2, "next_attempt_at" = statement_timestamp() + make_interval(secs => $3)
  where workspace_id = $4
  and id = $5
  and lease_epoch = $6
  and "status" in ('active');
update "channel_delivery"
  set "lease_until" = $1, "next_attempt_at" = statement_timestamp() + make_interval(secs => $2)
  where workspace_id = $3
  and id = $4
  and lease_epoch = $5
  and "status" in ('active');

-- db/channels/deliveries.ts refreshCards
update "channel_delivery"
  set "next_attempt_at" = statement_timestamp()
  where "workspace_id" = $1
  and "event" = $2
  and "subject_id" = $3
  and "ref" is not null
  and "status" = $4
  returning "workspace_id", "id";

-- db/channels/deliveries.ts revive
update "channel_delivery"
  set "status" = $1, "attempts" = $2, "next_attempt_at" = statement_timestamp()
  where "workspace_id" = $3
  and "channel_id" = $4
  and "id" = $5
  and "status" = $6;

-- db/channels/deliveries.ts settleSent
update "channel_delivery"
  set "shown" = $1, "ref" = $2, "sent_at" = statement_timestamp(), "sending_since" = $3, "attempts" = $4, "last_error" = $5, "lease_until" = $6, "next_attempt_at" = case when wanted <> $7 then next_attempt_at end
  where workspace_id = $8
  and id = $9
  and lease_epoch = $10
  and "status" in ('active')
  returning "next_attempt_at";
update "channel_delivery"
  set "sending_since" = $1, "attempts" = $2, "last_error" = $3, "lease_until" = $4, "next_attempt_at" = case when wanted <> $5 then next_attempt_at end
  where workspace_id = $6
  and id = $7
  and lease_epoch = $8
  and "status" in ('active')
  returning "next_attempt_at";

-- db/clock.ts ping
select current_setting('transaction_read_only') as read_only, $1::integer as echo;

-- db/clock.ts readClock
select statement_timestamp() as "now";

-- db/cloud/accounts.ts deleteAccount
delete from "cloud_account"
  where "workspace_id" = $1
  and "id" = $2
  and "revision" = $3
  returning "id";

-- db/cloud/accounts.ts findAccount
select "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at"
  from "cloud_account"
  where "workspace_id" = $1
  and "id" = $2;

-- db/cloud/accounts.ts insertAccount
insert into "cloud_account" ("auth", "aws_account_id", "created_by", "default_region", "environment", "id", "name", "partition", "read_only", "regions", "sandbox", "secret", "workspace_id", "provider", "status", "capabilities")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  returning "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at";
insert into "cloud_account" ("auth", "aws_account_id", "created_by", "default_region", "id", "name", "partition", "regions", "sandbox", "secret", "workspace_id", "provider", "status", "capabilities")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  returning "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at";

-- db/cloud/accounts.ts listAccounts
select "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at"
  from "cloud_account"
  where "workspace_id" = $1
  and ("id" = any($2)
  or "environment" = any($3))
  and ("name", "id") > ($4, $5)
  order by "name", "id"
  limit 1;
select "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at"
  from "cloud_account"
  where "workspace_id" = $1
  and ("name", "id") > ($2, $3)
  order by "name", "id"
  limit 1;
select "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at"
  from "cloud_account"
  where "workspace_id" = $1
  order by "name", "id"
  limit 1;

-- db/cloud/accounts.ts listMarks
select "id", "environment", "read_only"
  from "cloud_account"
  where "workspace_id" = $1
  and "id" = any($2);

-- db/cloud/accounts.ts saveIdentity
update "cloud_account"
  set "aws_account_id" = $1
  where "workspace_id" = $2
  and "id" = $3;

-- db/cloud/accounts.ts saveSessionMarks
update "cloud_account"
  set "session_marks" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "credential_version" = $4;

-- db/cloud/accounts.ts saveTest
update "cloud_account"
  set "aws_account_id" = coalesce($1::text, aws_account_id), "capabilities" = $2, "last_test" = $3, "status" = $4
  where "workspace_id" = $5
  and "id" = $6
  and "credential_version" = $7;

-- db/cloud/accounts.ts updateAccount
update "cloud_account"
  set "aws_account_id" = $1, "credential_version" = $2, "default_region" = $3, "environment" = $4, "name" = $5, "partition" = $6, "read_only" = $7, "secret" = $8, "session_marks" = $9, "status" = $10, "regions" = $11, "auth" = $12, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $13
  and "id" = $14
  and "revision" = $15
  returning "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at";
update "cloud_account"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and "revision" = $3
  returning "workspace_id", "id", "name", "provider", "aws_account_id", "partition", "regions", "default_region", "auth", "secret", "status", "capabilities", "last_test", "credential_version", "sandbox", "environment", "read_only", "session_marks", "revision", "created_by", "created_at", "updated_at";

-- db/cloud/costs.ts dropOldCosts
delete from "cloud_cost"
  where "workspace_id" = $1
  and "expires_at" < now() - interval '7 days';

-- db/cloud/costs.ts findCost
select "slice", "fetched_at", "expires_at", expires_at > now() as "fresh", extract(epoch
  from now() - fetched_at)::float8 as "age_s"
  from "cloud_cost"
  where "workspace_id" = $1
  and "account_id" = $2
  and "key" = $3;

-- db/cloud/costs.ts saveCost
insert into "cloud_cost" ("account_id", "key", "workspace_id", "slice", "fetched_at", "expires_at")
  values ($1, $2, $3, $4, now(), now() + make_interval(secs => $5))
  on conflict ("workspace_id", "account_id", "key") do update
  set "slice" = "excluded"."slice", "fetched_at" = "excluded"."fetched_at", "expires_at" = "excluded"."expires_at"
  returning "slice", "fetched_at", "expires_at";

-- db/cloud/costs.ts takeCostRequest
insert into "cloud_cost_budget" ("workspace_id", "account_id", "day", "requests")
  values ($1, $2, (now() at time zone 'utc')::date, $3)
  on conflict ("workspace_id", "account_id", "day") do update
  set "requests" = cloud_cost_budget.requests + 1
  where "cloud_cost_budget"."requests" < $4
  returning "requests";

-- db/codehost/activity.ts listActivity
select "id", "repo_id", "type", "actor", "occurred_at", "observed_at", "source", "ref", "before", "after", "commit_count", "pull_number", "subject", "html_url", "raw_event"
  from "codehost_activity"
  where "workspace_id" = $1
  and "repo_id" = $2
  and "type" = $3
  and lower(actor) = lower($4)
  and "occurred_at" >= $5
  and "occurred_at" <= $6
  and (occurred_at, id) < ($7::timestamptz, $8::text)
  order by "occurred_at" desc, "id" desc
  limit 1;
select "id", "repo_id", "type", "actor", "occurred_at", "observed_at", "source", "ref", "before", "after", "commit_count", "pull_number", "subject", "html_url", "raw_event"
  from "codehost_activity"
  where "workspace_id" = $1
  and "repo_id" = $2
  order by "occurred_at" desc, "id" desc
  limit 1;

-- db/codehost/activity.ts saveActivity
insert into "codehost_activity" ("actor", "after", "before", "commit_count", "digest", "html_url", "id", "occurred_at", "pull_number", "raw_event", "ref", "repo_id", "source", "subject", "type", "workspace_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  on conflict ("workspace_id", "repo_id", "id") do update
  set "type" = "excluded"."type", "actor" = "excluded"."actor", "occurred_at" = "excluded"."occurred_at", "source" = "excluded"."source", "ref" = "excluded"."ref", "before" = "excluded"."before", "after" = "excluded"."after", "commit_count" = "excluded"."commit_count", "pull_number" = "excluded"."pull_number", "subject" = "excluded"."subject", "html_url" = "excluded"."html_url", "raw_event" = "excluded"."raw_event", "digest" = "excluded"."digest"
  where (excluded.source = 'webhook', excluded.occurred_at, excluded.digest) > (codehost_activity.source = 'webhook', codehost_activity.occurred_at, codehost_activity.digest);

-- db/codehost/grants.ts dropRefused
update "codehost_identity"
  set "access_token" = $1, "refresh_token" = $2, "scope" = $3, "expires_at" = $4, "refresh_at" = $5, "generation" = "generation" + 1, "updated_at" = now()
  where "workspace_id" = $6
  and "id" = $7
  and "state" = $8
  and "access_token" is not null
  returning "user_id";
delete from "codehost_repository_access"
  where "workspace_id" = $1
  and "user_id" = $2;

-- db/codehost/grants.ts endConnection
select "workspace_id", "id", "user_id", "host", "account_id", "login", "state", "joined_by", "access_token", "refresh_token", "scope", "expires_at", "generation", "connected_at", coalesce(refresh_at <= now(), false) as "due", coalesce(expires_at <= now(), false) as "dead", coalesce(lease_until > now(), false) as "leased"
  from "codehost_identity"
  where "workspace_id" = $1
  and "host" = $2
  and "user_id" = $3
  and "state" <> $4
  for update;
delete from "codehost_repository_access"
  where "workspace_id" = $1
  and "user_id" = $2;
update "codehost_identity"
  set "state" = $1, "access_token" = $2, "refresh_token" = $3, "scope" = $4, "expires_at" = $5, "refresh_at" = $6, "lease_until" = $7, "connected_at" = $8, "generation" = $9, "updated_at" = now()
  where "workspace_id" = $10
  and "id" = $11;
delete from "codehost_identity"
  where "workspace_id" = $1
  and "id" = $2;

-- db/codehost/grants.ts findGrant
select "workspace_id", "id", "user_id", "host", "account_id", "login", "state", "joined_by", "access_token", "refresh_token", "scope", "expires_at", "generation", "connected_at", coalesce(refresh_at <= now(), false) as "due", coalesce(expires_at <= now(), false) as "dead", coalesce(lease_until > now(), false) as "leased"
  from "codehost_identity"
  where "workspace_id" = $1
  and "host" = $2
  and "user_id" = $3;

-- db/codehost/grants.ts forgetTokens
update "codehost_identity"
  set "state" = $1, "access_token" = $2, "refresh_token" = $3, "generation" = "generation" + 1
  where "workspace_id" = $4
  and "id" = $5;

-- db/codehost/grants.ts markRefused
update "codehost_identity"
  set "state" = $1, "lease_until" = $2, "updated_at" = now()
  where workspace_id = $3
  and id = $4
  and generation = $5
  and "state" = $6;

-- db/codehost/grants.ts returnLease
update "codehost_identity"
  set "lease_until" = now() + make_interval(secs => $1)
  where workspace_id = $2
  and id = $3
  and generation = $4;

-- db/codehost/grants.ts storeTokens
update "codehost_identity"
  set "access_token" = $1, "refresh_token" = $2, "scope" = $3, "state" = $4, "expires_at" = now() + make_interval(secs => $5), "refresh_at" = now() + make_interval(secs => $6), "generation" = "generation" + 1, "lease_until" = $7, "updated_at" = now()
  where "workspace_id" = $8
  and "id" = $9
  and "generation" = $10
  returning "id";
update "codehost_identity"
  set "access_token" = $1, "refresh_token" = $2, "scope" = $3, "state" = $4, "expires_at" = $5, "refresh_at" = $6, "generation" = "generation" + 1, "lease_until" = $7, "updated_at" = now()
  where "workspace_id" = $8
  and "id" = $9
  and "generation" = $10
  returning "id";
update "codehost_identity"
  set "access_token" = $1, "refresh_token" = $2, "scope" = $3, "state" = $4, "expires_at" = $5, "refresh_at" = $6, "generation" = "generation" + 1, "lease_until" = $7, "updated_at" = now(), "connected_at" = now()
  where "workspace_id" = $8
  and "id" = $9
  returning "id";

-- db/codehost/grants.ts takeLease
update "codehost_identity"
  set "lease_until" = now() + make_interval(secs => $1)
  where workspace_id = $2
  and id = $3
  and generation = $4
  and "state" = $5
  and (lease_until is null
  or lease_until <= now())
  returning "id";

-- db/codehost/identities.ts findByAccount
select "id", "user_id", "account_id", "login", "state", "joined_by", "rule_role"
  from "codehost_identity"
  where "workspace_id" = $1
  and "host" = $2
  and "account_id" = $3;

-- db/codehost/identities.ts insertAuthorization
delete from "codehost_authorization"
  where "workspace_id" = $1
  and "expires_at" <= now();
insert into "codehost_authorization" ("binding_hash", "mode", "return_to", "session_id", "state_hash", "user_id", "verifier", "workspace_id", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9));
insert into "codehost_authorization" ("binding_hash", "mode", "return_to", "state_hash", "workspace_id", "expires_at")
  values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6));

-- db/codehost/identities.ts insertIdentity
insert into "codehost_identity" ("account_id", "host", "joined_by", "login", "rule_role", "user_id", "workspace_id", "id", "state")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict do nothing
  returning "id";
insert into "codehost_identity" ("account_id", "host", "joined_by", "login", "user_id", "workspace_id", "id", "state")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict do nothing
  returning "id";

-- db/codehost/identities.ts listIdentities
select "id", "user_id", "account_id", "login", "state", "joined_by", "rule_role"
  from "codehost_identity"
  where "workspace_id" = $1
  and "host" = $2
  order by "id";

-- db/codehost/identities.ts pinOrganisation
insert into "codehost_organisation" ("host", "organisation_id", "workspace_id", "login")
  values ($1, $2, $3, $4)
  on conflict do nothing
  returning "organisation_id";
select "organisation_id"
  from "codehost_organisation"
  where "workspace_id" = $1
  and "host" = $2
  and "login" = $3;

-- db/codehost/identities.ts takeAuthorization
delete from "codehost_authorization"
  where "workspace_id" = $1
  and "state_hash" = $2
  and "binding_hash" = $3
  and "expires_at" > now()
  returning "mode", "user_id", "session_id", "verifier", "return_to";

-- db/codehost/identities.ts updateIdentity
update "codehost_identity"
  set "login" = $1, "rule_role" = $2, "updated_at" = now()
  where "workspace_id" = $3
  and "id" = $4;
update "codehost_identity"
  set "login" = $1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3;

-- db/codehost/receipts.ts deleteOldReceipts
delete from "codehost_receipt"
  where ("workspace_id", "id") in (select "workspace_id", "id"
  from "codehost_receipt"
  where received_at < now() - interval '30 days'
  and "status" <> 'queued'
  limit 1000);
delete from "codehost_receipt"
  where ((("workspace_id", "id") in (select "workspace_id", "id"
  from "codehost_receipt"
  where ((received_at < now() - interval '30 days')
  and "workspace_id" = any($1::uuid[]))
  and "status" <> 'queued'
  limit 1000))
  and "workspace_id" = any($2::uuid[]));

-- db/codehost/receipts.ts deleteReceiptsOf
delete from "codehost_receipt"
  where "workspace_id" = $1
  and "id" in (select "id"
  from "codehost_receipt"
  where "workspace_id" = $2
  and "received_at" < now() - make_interval(days => $3)
  and "status" <> 'queued'
  limit 1000);

-- db/codehost/receipts.ts dueReceipts.claim
select w.id
  from workspace w
  where exists ( select
  from "codehost_receipt"
  where "codehost_receipt"."workspace_id" = w.id
  and status = 'queued'
  and next_attempt_at <= now());
with due as (select id, "status" as was
  from "codehost_receipt"
  where workspace_id = $1
  and status = 'queued'
  and next_attempt_at <= now()
  order by "next_attempt_at"
  limit $2
  for update skip locked) update "codehost_receipt"
  set attempts = "attempts" + 1, next_attempt_at = to_timestamp(extract(epoch
  from now())::float8 + 15 * power(2, attempts))
  from due
  where "codehost_receipt"."workspace_id" = $3
  and "codehost_receipt"."id" = due.id
  returning "codehost_receipt"."workspace_id", "codehost_receipt"."id", "codehost_receipt"."attempts", due.*;
select w.id
  from workspace w
  where ((exists ( select
  from "codehost_receipt"
  where (("codehost_receipt"."workspace_id" = w.id
  and status = 'queued'
  and next_attempt_at <= now())
  and "codehost_receipt"."workspace_id" = any($1::uuid[]))))
  and "w"."id" = any($2::uuid[]));

-- db/codehost/receipts.ts findDelivered
update "codehost_receipt"
  set "status" = $1, "attempts" = $2, "next_attempt_at" = now(), "error_code" = $3, "processed_at" = $4
  where "workspace_id" = $5
  and "delivery_id" = any($6)
  and "status" = 'failed'
  returning "id", "delivery_id", "event", "action", "status";
select "id", "delivery_id", "event", "action", "status"
  from "codehost_receipt"
  where "workspace_id" = $1
  and "delivery_id" = any($2);

-- db/codehost/receipts.ts findHead
select "a"."after"
  from "codehost_activity" as "a"
  where "a"."workspace_id" = $1
  and "a"."repo_id" = $2
  and "a"."ref" = $3
  and "a"."after" is not null
  and not exists (select "b"."id"
  from "codehost_activity" as "b"
  where "b"."workspace_id" = $4
  and "b"."repo_id" = "a"."repo_id"
  and "b"."ref" = "a"."ref"
  and "b"."before" = "a"."after"
  and "b"."occurred_at" = "a"."occurred_at"
  and "b"."id" <> "a"."id")
  order by "a"."occurred_at" desc, "a"."id" desc
  limit 1;

-- db/codehost/receipts.ts findReceipt
select "id", "delivery_id", "event", "action", "status", "error_code", "secret_id", "hook_id", "repo_id", "received_at", "processed_at", "attempts", encode(body_sha256, 'hex') as "body_sha256", octet_length(body) as "body_bytes"
  from "codehost_receipt"
  where "workspace_id" = $1
  and "id" = $2;

-- db/codehost/receipts.ts giveUpReceipts
update "codehost_receipt"
  set "status" = $1, "error_code" = $2, "processed_at" = now()
  where status = 'queued'
  and next_attempt_at <= now()
  and "attempts" >= 5;
update "codehost_receipt"
  set "status" = $1, "error_code" = $2, "processed_at" = now()
  where ((status = 'queued'
  and next_attempt_at <= now())
  and "workspace_id" = any($3::uuid[]))
  and "attempts" >= 5;

-- db/codehost/receipts.ts insertReceipts
insert into codehost_receipt (workspace_id, id, delivery_id, event, action, content_type, body, body_sha256, secret_id, hook_id, status) select $1::uuid, v.id, v.delivery_id, v.event, v.action, v.content_type, v.body, v.body_sha256, v.secret_id, v.hook_id, case when v.repeated
  or ( select true
  from codehost_receipt r
  where r.workspace_id = $1::uuid
  and r.body_sha256 = v.body_sha256
  and r.event = v.event
  and r.status in ('queued', 'processed', 'ignored')
  and (r.event not in ('member', 'membership', 'organization', 'team', 'team_add', 'public', 'installation', 'installation_repositories', 'github_app_authorization')
  or r.received_at > now() - interval '5 minutes')
  limit 1) then 'duplicate' else 'queued' end
  from (values ($2::uuid, $3::text, $4::text, $5::text, $6::text, $7::bytea, $8::bytea, $9::text, $10::text, $11::boolean)) as v (id, delivery_id, event, action, content_type, body, body_sha256, secret_id, hook_id, repeated)
  on conflict (workspace_id, delivery_id) do nothing
  returning id, delivery_id, event, action, status;
insert into codehost_receipt (workspace_id, id, delivery_id, event, action, content_type, body, body_sha256, secret_id, hook_id, status) select $1::uuid, v.id, v.delivery_id, v.event, v.action, v.content_type, v.body, v.body_sha256, v.secret_id, v.hook_id, case when v.repeated
  or ( select true
  from codehost_receipt r
  where r.workspace_id = $1::uuid
  and r.body_sha256 = v.body_sha256
  and r.event = v.event
  and r.status in ('queued', 'processed', 'ignored')
  and (r.event not in ('member', 'membership', 'organization', 'team', 'team_add', 'public', 'installation', 'installation_repositories', 'github_app_authorization')
  or r.received_at > now() - interval '5 minutes')
  limit 1) then 'duplicate' else 'queued' end
  from (values ) as v (id, delivery_id, event, action, content_type, body, body_sha256, secret_id, hook_id, repeated)
  on conflict (workspace_id, delivery_id) do nothing
  returning id, delivery_id, event, action, status;

-- db/codehost/receipts.ts isOutdated
select "a"."after"
  from "codehost_activity" as "a"
  where "a"."workspace_id" = $1
  and "a"."repo_id" = $2
  and "a"."ref" = $3
  and "a"."after" is not null
  and not exists (select "b"."id"
  from "codehost_activity" as "b"
  where "b"."workspace_id" = $4
  and "b"."repo_id" = "a"."repo_id"
  and "b"."ref" = "a"."ref"
  and "b"."before" = "a"."after"
  and "b"."occurred_at" = "a"."occurred_at"
  and "b"."id" <> "a"."id")
  order by "a"."occurred_at" desc, "a"."id" desc
  limit 1;

-- db/codehost/receipts.ts listArrived
select "delivery_id"
  from "codehost_receipt"
  where "workspace_id" = $1
  and "delivery_id" = any($2)
  and "status" <> 'failed';

-- db/codehost/receipts.ts listReceipts
select "id", "delivery_id", "event", "action", "status", "error_code", "secret_id", "hook_id", "repo_id", "received_at", "processed_at", "attempts", encode(body_sha256, 'hex') as "body_sha256", octet_length(body) as "body_bytes"
  from "codehost_receipt"
  where "workspace_id" = $1
  and status = 'duplicate'
  and "event" = $2
  and "repo_id" = $3
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "delivery_id", "event", "action", "status", "error_code", "secret_id", "hook_id", "repo_id", "received_at", "processed_at", "attempts", encode(body_sha256, 'hex') as "body_sha256", octet_length(body) as "body_bytes"
  from "codehost_receipt"
  where "workspace_id" = $1
  and status = 'failed'
  and "event" = $2
  and "repo_id" = $3
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "delivery_id", "event", "action", "status", "error_code", "secret_id", "hook_id", "repo_id", "received_at", "processed_at", "attempts", encode(body_sha256, 'hex') as "body_sha256", octet_length(body) as "body_bytes"
  from "codehost_receipt"
  where "workspace_id" = $1
  and status = 'ignored'
  and "event" = $2
  and "repo_id" = $3
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "delivery_id", "event", "action", "status", "error_code", "secret_id", "hook_id", "repo_id", "received_at", "processed_at", "attempts", encode(body_sha256, 'hex') as "body_sha256", octet_length(body) as "body_bytes"
  from "codehost_receipt"
  where "workspace_id" = $1
  and status = 'processed'
  and "event" = $2
  and "repo_id" = $3
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "delivery_id", "event", "action", "status", "error_code", "secret_id", "hook_id", "repo_id", "received_at", "processed_at", "attempts", encode(body_sha256, 'hex') as "body_sha256", octet_length(body) as "body_bytes"
  from "codehost_receipt"
  where "workspace_id" = $1
  and status = 'queued'
  and "event" = $2
  and "repo_id" = $3
  and "id" < $4
  order by "id" desc
  limit 1;
select "id", "delivery_id", "event", "action", "status", "error_code", "secret_id", "hook_id", "repo_id", "received_at", "processed_at", "attempts", encode(body_sha256, 'hex') as "body_sha256", octet_length(body) as "body_bytes"
  from "codehost_receipt"
  where "workspace_id" = $1
  order by "id" desc
  limit 1;

-- db/codehost/receipts.ts lockReceipt
select "workspace_id", "id", "event", "content_type", "body", exists (select
  from codehost_receipt e
  where e.workspace_id = $1
  and e.body_sha256 = codehost_receipt.body_sha256
  and e.event = codehost_receipt.event
  and e.id <> codehost_receipt.id
  and e.status in ('processed', 'ignored')
  and (e.event not in ('member', 'membership', 'organization', 'team', 'team_add', 'public', 'installation', 'installation_repositories', 'github_app_authorization')
  or e.received_at > codehost_receipt.received_at - interval '5 minutes')) as "repeated"
  from "codehost_receipt"
  where "workspace_id" = $2
  and "id" = $3
  and "status" = 'queued'
  for update;

-- db/codehost/receipts.ts lockRef
select pg_advisory_xact_lock(hashtextextended($1, 0));

-- db/codehost/receipts.ts settleReceipt
update "codehost_receipt"
  set "action" = $1, "error_code" = $2, "repo_id" = $3, "status" = $4, "processed_at" = now()
  where "workspace_id" = $5
  and "id" = $6
  and "status" = 'queued';
update "codehost_receipt"
  set "error_code" = $1, "status" = $2, "processed_at" = now()
  where "workspace_id" = $3
  and "id" = $4
  and "status" = 'queued';

-- db/codehost/repositories.ts dropAccess
delete from "codehost_repository_access"
  where "workspace_id" = $1
  and "user_id" = $2
  and "repo_id" = $3;

-- db/codehost/repositories.ts dropAccessOfOwner
delete from "codehost_repository_access" as "a" using "codehost_repository" as "r"
  where "a"."workspace_id" = $1
  and "r"."workspace_id" = "a"."workspace_id"
  and "r"."id" = "a"."repo_id"
  and split_part(lower(r.full_name), '/', 1) = lower($2);

-- db/codehost/repositories.ts dropEveryAccess
delete from "codehost_repository_access"
  where "workspace_id" = $1
  and "repo_id" = $2;

-- db/codehost/repositories.ts findKnown
select "r"."id", "r"."full_name", "r"."default_branch", "r"."private", "r"."sync_state", "r"."last_synced_at", "r"."last_event_at", "r"."activity_complete_from", "a"."permission", coalesce(a.checked_at > now() - interval '1 minute', false) as "recent"
  from "codehost_repository" as "r"
  left join "codehost_repository_access" as "a" on "a"."workspace_id" = "r"."workspace_id"
  and "a"."repo_id" = "r"."id"
  and "a"."user_id" = $1
  where "r"."workspace_id" = $2
  and "r"."id" = any($3);

-- db/codehost/repositories.ts listHooked
select distinct on ("r"."workspace_id", "r"."id") "r"."workspace_id", "r"."id", "r"."full_name", "a"."user_id"
  from "codehost_repository" as "r"
  inner join "codehost_repository_access" as "a" on "a"."workspace_id" = "r"."workspace_id"
  and "a"."repo_id" = "r"."id"
  and "a"."permission" = $1
  inner join "codehost_identity" as "i" on "i"."workspace_id" = "a"."workspace_id"
  and "i"."user_id" = "a"."user_id"
  and "i"."host" = $2
  and "i"."state" = $3
  where r.last_event_at is not null
  order by "r"."workspace_id", "r"."id", "a"."checked_at" desc;
select distinct on ("r"."workspace_id", "r"."id") "r"."workspace_id", "r"."id", "r"."full_name", "a"."user_id"
  from "codehost_repository" as "r"
  inner join "codehost_repository_access" as "a" on "a"."workspace_id" = "r"."workspace_id"
  and "a"."repo_id" = "r"."id"
  and "a"."permission" = $1
  inner join "codehost_identity" as "i" on "i"."workspace_id" = "a"."workspace_id"
  and "i"."user_id" = "a"."user_id"
  and "i"."host" = $2
  and "i"."state" = $3
  where ((r.last_event_at is not null)
  and "r"."workspace_id" = any($4::uuid[])
  and "a"."workspace_id" = any($5::uuid[])
  and "i"."workspace_id" = any($6::uuid[]))
  order by "r"."workspace_id", "r"."id", "a"."checked_at" desc;

-- db/codehost/repositories.ts markSynced
update "codehost_repository"
  set "last_synced_at" = now(), "activity_complete_from" = least(activity_complete_from, $1::timestamptz)
  where "workspace_id" = $2
  and "id" = $3;
update "codehost_repository"
  set "last_synced_at" = now(), "activity_complete_from" = $1
  where "workspace_id" = $2
  and "id" = $3;

-- db/codehost/repositories.ts saveReported
insert into "codehost_repository" ("default_branch", "full_name", "host_updated_at", "id", "private", "workspace_id", "sync_state", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, now())
  on conflict ("workspace_id", "id") do update
  set "full_name" = "excluded"."full_name", "default_branch" = "excluded"."default_branch", "private" = "excluded"."private", "host_updated_at" = "excluded"."host_updated_at", "updated_at" = "excluded"."updated_at"
  where (excluded.host_updated_at, excluded.full_name, excluded.default_branch, excluded.private) > (coalesce(codehost_repository.host_updated_at, codehost_repository.updated_at), codehost_repository.full_name, codehost_repository.default_branch, codehost_repository.private);
update "codehost_repository"
  set "sync_state" = $1, "last_event_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and (sync_state <> 'live'
  or last_event_at is null
  or last_event_at < now() - interval '1 minute');

-- db/codehost/repositories.ts saveSeen
insert into "codehost_repository" ("workspace_id", "default_branch", "full_name", "id", "private", "updated_at")
  values ($1, $2, $3, $4, $5, now())
  on conflict ("workspace_id", "id") do update
  set "full_name" = "excluded"."full_name", "default_branch" = "excluded"."default_branch", "private" = "excluded"."private", "updated_at" = "excluded"."updated_at"
  where (codehost_repository.full_name, codehost_repository.default_branch, codehost_repository.private) is distinct
  from (excluded.full_name, excluded.default_branch, excluded.private);
insert into "codehost_repository_access" ("workspace_id", "user_id", "repo_id", "permission", "checked_at")
  values ($1, $2, $3, $4, now())
  on conflict ("workspace_id", "user_id", "repo_id") do update
  set "permission" = "excluded"."permission", "checked_at" = "excluded"."checked_at"
  where codehost_repository_access.permission <> excluded.permission
  or excluded.checked_at - codehost_repository_access.checked_at > interval '1 minute';

-- db/content/brands.ts deleteStyle
delete from "content_style"
  where "workspace_id" = $1
  and "project_id" = $2
  and "name" = $3;

-- db/content/brands.ts deleteTargets
delete from "content_target"
  where "workspace_id" = $1
  and "project_id" = $2
  and "id" not in ($3);
delete from "content_target"
  where "workspace_id" = $1
  and "project_id" = $2;

-- db/content/brands.ts disableTarget
update "content_target"
  set "disabled_reason" = $1
  where "workspace_id" = $2
  and "id" = $3;

-- db/content/brands.ts findBrand
select "version", "settings", "created_by" as "updated_by", "created_at" as "updated_at"
  from "content_brand_version"
  where "workspace_id" = $1
  and "project_id" = $2
  and "version" = $3;
select "version", "settings", "updated_by", "updated_at"
  from "content_brand"
  where "workspace_id" = $1
  and "project_id" = $2;

-- db/content/brands.ts findSecrets
select "secret", case when previous_until > now() then previous_secret end as "previous"
  from "content_target"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/brands.ts listStyleRules
select "name", "hash", "rules"
  from "content_style"
  where "workspace_id" = $1
  and "project_id" = $2
  order by "name";

-- db/content/brands.ts listStyles
select "name", "hash", "rules", "refused", "updated_by", "updated_at"
  from "content_style"
  where "workspace_id" = $1
  and "project_id" = $2
  order by "name";

-- db/content/brands.ts listTargets
select "id", "disabled_reason", secret is not null as "has_secret"
  from "content_target"
  where "workspace_id" = $1
  and "project_id" = $2;

-- db/content/brands.ts saveBrand
insert into "content_brand" ("workspace_id", "project_id", "version", "settings", "updated_by", "updated_at")
  values ($1, $2, $3, $4, $5, now())
  on conflict ("workspace_id", "project_id") do update
  set "version" = $6, "settings" = $7, "updated_by" = $8, "updated_at" = "excluded"."updated_at";
insert into "content_brand_version" ("workspace_id", "project_id", "version", "settings", "created_by")
  values ($1, $2, $3, $4, $5);

-- db/content/brands.ts saveStyle
insert into "content_style" ("workspace_id", "project_id", "name", "hash", "rules", "refused", "updated_by", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, now())
  on conflict ("workspace_id", "project_id", "name") do update
  set "hash" = $8, "rules" = $9, "refused" = $10, "updated_by" = $11, "updated_at" = "excluded"."updated_at";

-- db/content/brands.ts saveTarget
insert into "content_target" ("workspace_id", "project_id", "id", "secret", "previous_until")
  values ($1, $2, $3, $4, now() + interval '1 day')
  on conflict ("workspace_id", "id") do update
  set "project_id" = $5, "secret" = $6, "previous_secret" = content_target.secret, "previous_until" = "excluded"."previous_until";
insert into "content_target" ("workspace_id", "project_id", "id", "secret", "previous_until")
  values ($1, $2, $3, $4, now() + interval '1 day')
  on conflict ("workspace_id", "id") do update
  set "project_id" = $5, "disabled_reason" = $6, "secret" = $7, "previous_secret" = content_target.secret, "previous_until" = "excluded"."previous_until";
insert into "content_target" ("workspace_id", "project_id", "id", "secret", "previous_until")
  values ($1, $2, $3, $4, now() + interval '1 day')
  on conflict ("workspace_id", "id") do update
  set "project_id" = $5, "secret" = $6, "previous_secret" = $7, "previous_until" = $8;
insert into "content_target" ("workspace_id", "project_id", "id", "secret", "previous_until")
  values ($1, $2, $3, $4, now() + interval '1 day')
  on conflict ("workspace_id", "id") do update
  set "project_id" = $5, "disabled_reason" = $6;

-- db/content/briefs.ts findBrief
select "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at"
  from "content_brief"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/briefs.ts findBriefResource
select "project_id"
  from "content_brief"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/briefs.ts insertBrief
insert into "content_brief" ("id", "status", "workspace_id", "project_id", "created_by", "title", "channels", "body")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at";
insert into "content_brief" ("id", "workspace_id", "project_id", "created_by", "title", "channels", "body")
  values ($1, $2, $3, $4, $5, $6, $7)
  returning "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at";

-- db/content/briefs.ts listBriefs
select "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at"
  from "content_brief"
  where "workspace_id" = $1
  and "project_id" = any($2)
  and "project_id" = $3
  and "status" = $4
  and $5 = any(channels)
  and position(lower($6) in lower("title")) > 0
  and "id" < $7
  order by "id" desc
  limit 1;
select "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at"
  from "content_brief"
  where "workspace_id" = $1
  and "status" <> $2
  order by "id" desc
  limit 1;

-- db/content/briefs.ts moveBrief
update "content_brief"
  set "status" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and "status" in ($4)
  and "revision" = any($5)
  returning "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at";
update "content_brief"
  set "status" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and "status" in ()
  and "revision" = any($4)
  returning "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at";
update "content_brief"
  set "status" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and "status" in ()
  returning "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at";

-- db/content/briefs.ts updateBrief
update "content_brief"
  set "title" = $1, "channels" = $2, "body" = $3, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $4
  and "id" = $5
  and "revision" = any($6)
  returning "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at";
update "content_brief"
  set "title" = $1, "channels" = $2, "body" = $3, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $4
  and "id" = $5
  returning "id", "project_id", "status", "body", "revision", "created_by", "created_at", "updated_at";

-- db/content/calendars.ts countCalendars
select count(*)::integer as "count"
  from "content_calendar"
  where "workspace_id" = $1
  and "user_id" = $2;

-- db/content/calendars.ts deleteCalendar
delete from "content_calendar"
  where "workspace_id" = $1
  and "id" = $2
  and "user_id" = $3
  returning "id";
delete from "content_calendar"
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/content/calendars.ts findCalendar
select "id", "user_id", "project_id", "name", coalesce(last_used_at < now() - interval '1 hour', true) as "stale"
  from "content_calendar"
  where "workspace_id" = $1
  and "hash" = $2;

-- db/content/calendars.ts insertCalendar
insert into "content_calendar" ("hash", "name", "project_id", "user_id", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6)
  returning "id", "project_id", "name", "last_used_at", "created_at";

-- db/content/calendars.ts listCalendars
select "id", "project_id", "name", "last_used_at", "created_at"
  from "content_calendar"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "project_id", "name", "last_used_at", "created_at"
  from "content_calendar"
  where "workspace_id" = $1
  and "user_id" = $2
  order by "id" desc
  limit 1;

-- db/content/calendars.ts touchCalendar
update "content_calendar"
  set "last_used_at" = now()
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/contents.ts addVersion
insert into "content_version" ("author", "content_hash", "origin", "sketch", "workspace_id", "content_id", "version", "body", "checks", "brand_version")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);
update "content"
  set "head_version" = $1, "review_state" = $2, "title" = $3, "slug" = $4, "score" = $5, "verdict" = $6, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $7
  and "id" = $8;

-- db/content/contents.ts findContent
select "id", "project_id", "brief_id", "group_id", "variant", "translation_of", "translated_version", "channel", "network", "locale", "title", "slug", "engine", "head_version", "revision", "review_state", "reviewer", "approved_version", "published_version", "scheduled_version", "score", "verdict", "status", "created_by", "created_at", "updated_at", coalesce(( select h.content_hash is distinct
  from v.content_hash
  from content s join content_version h on h.workspace_id = $1
  and h.content_id = s.id
  and h.version = s.head_version
  left join content_version v on v.workspace_id = $2
  and v.content_id = s.id
  and v.version = content.translated_version
  where s.workspace_id = $3
  and s.id = content.translation_of
  and s.deleted_at is null), false) as "source_changed"
  from "content"
  where "workspace_id" = $4
  and "deleted_at" is null
  and "id" = $5;

-- db/content/contents.ts findContentResource
select "project_id"
  from "content"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/contents.ts findDeleted
select "id", "created_by"
  from "content"
  where "workspace_id" = $1
  and "id" = $2
  and "deleted_at" > now() - interval '30 days';

-- db/content/contents.ts insertContent
insert into "content" ("group_id", "brief_id", "channel", "created_by", "engine", "locale", "network", "project_id", "translated_version", "translation_of", "variant", "title", "slug", "score", "verdict", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);
insert into "content_version" ("author", "content_hash", "origin", "sketch", "workspace_id", "content_id", "version", "body", "checks", "brand_version")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);
insert into "content" ("group_id", "brief_id", "channel", "created_by", "engine", "locale", "network", "project_id", "translated_version", "translation_of", "title", "slug", "score", "verdict", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- db/content/contents.ts isSlugTaken
select "id"
  from "content"
  where "workspace_id" = $1
  and "project_id" = $2
  and "channel" = $3
  and "network" = $4
  and "locale" = $5
  and "slug" = $6
  and "deleted_at" is null
  and "id" <> $7
  limit 1;
select "id"
  from "content"
  where "workspace_id" = $1
  and "project_id" = $2
  and "channel" = $3
  and "network" is null
  and "locale" = $4
  and "slug" = $5
  and "deleted_at" is null
  and "id" <> $6
  limit 1;
select "id"
  from "content"
  where "workspace_id" = $1
  and "project_id" = $2
  and "channel" = $3
  and "network" is null
  and "locale" = $4
  and "slug" = $5
  and "deleted_at" is null
  limit 1;

-- db/content/contents.ts isTextElsewhere
select "c"."id"
  from "content_version" as "v"
  inner join "content" as "c" on "c"."workspace_id" = "v"."workspace_id"
  and "c"."id" = "v"."content_id"
  where "v"."workspace_id" = $1
  and "v"."content_hash" = $2
  and "c"."project_id" = $3
  and "c"."deleted_at" is null
  and "c"."id" <> $4
  limit 1;
select "c"."id"
  from "content_version" as "v"
  inner join "content" as "c" on "c"."workspace_id" = "v"."workspace_id"
  and "c"."id" = "v"."content_id"
  where "v"."workspace_id" = $1
  and "v"."content_hash" = $2
  and "c"."project_id" = $3
  and "c"."deleted_at" is null
  limit 1;

-- db/content/contents.ts listAlike
select "c"."id", "c"."title", "v"."body"
  from "content_version" as "v"
  inner join "content" as "c" on "c"."workspace_id" = "v"."workspace_id"
  and "c"."id" = "v"."content_id"
  and "c"."published_version" = "v"."version"
  where "v"."workspace_id" = $1
  and v.sketch && $2::integer[]
  and "c"."project_id" = $3
  and "c"."deleted_at" is null
  and "c"."id" <> $4
  order by "c"."id" desc
  limit 10;
select "c"."id", "c"."title", "v"."body"
  from "content_version" as "v"
  inner join "content" as "c" on "c"."workspace_id" = "v"."workspace_id"
  and "c"."id" = "v"."content_id"
  and "c"."published_version" = "v"."version"
  where "v"."workspace_id" = $1
  and v.sketch && $2::integer[]
  and "c"."project_id" = $3
  and "c"."deleted_at" is null
  order by "c"."id" desc
  limit 10;

-- db/content/contents.ts listContents
select "id", ('{"id":' || '"' || "id" || '"' || ',"project_id":' || '"' || "project_id" || '"' || ',"brief_id":' || coalesce(to_json("brief_id")::text, 'null') || ',"group_id":' || '"' || "group_id" || '"' || ',"variant":' || "variant" || ',"translation_of":' || coalesce(to_json("translation_of")::text, 'null') || ',"translated_version":' || coalesce(to_json("translated_version")::text, 'null') || ',"channel":' || '"' || "channel" || '"' || ',"network":' || coalesce(to_json("network")::text, 'null') || ',"locale":' || coalesce(to_json("locale")::text, 'null') || ',"status":' || '"' || "status" || '"' || ',"review_state":' || '"' || "review_state" || '"' || ',"head_version":' || "head_version" || ',"reviewer":' || coalesce(to_json("reviewer")::text, 'null') || ',"approved_version":' || coalesce(to_json("approved_version")::text, 'null') || ',"published_version":' || coalesce(to_json("published_version")::text, 'null') || ',"scheduled_version":' || coalesce(to_json("scheduled_version")::text, 'null') || ',"has_unpublished_changes":' || to_json(coalesce(published_version <> head_version, false))::text || ',"engine":' || '"' || "engine" || '"' || ',"score":' || "score" || ',"verdict":' || '"' || "verdict" || '"' || ',"source_changed":' || to_json(coalesce(( select h.content_hash is distinct
  from v.content_hash
  from content s join content_version h on h.workspace_id = $1
  and h.content_id = s.id
  and h.version = s.head_version
  left join content_version v on v.workspace_id = $2
  and v.content_id = s.id
  and v.version = content.translated_version
  where s.workspace_id = $3
  and s.id = content.translation_of
  and s.deleted_at is null), false))::text || ',"title":' || coalesce(to_json("title")::text, 'null') || ',"slug":' || coalesce(to_json("slug")::text, 'null') || ',"revision":' || "revision" || ',"created_by":' || '"' || "created_by" || '"' || ',"created_at":' || coalesce('"' || to_char("created_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"updated_at":' || coalesce('"' || to_char("updated_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || '}') as "item"
  from "content"
  where "workspace_id" = $4
  and "deleted_at" is null
  and status = $5
  and "project_id" = $6
  and "brief_id" = $7
  and "channel" = $8
  and "locale" = $9
  and "reviewer" = $10
  and project_id = any($11::uuid[])
  and "translation_of" is not null
  and coalesce(( select h.content_hash is distinct
  from v.content_hash
  from content s join content_version h on h.workspace_id = $12
  and h.content_id = s.id
  and h.version = s.head_version
  left join content_version v on v.workspace_id = $13
  and v.content_id = s.id
  and v.version = content.translated_version
  where s.workspace_id = $14
  and s.id = content.translation_of
  and s.deleted_at is null), false) = $15
  and position(lower($16) in lower("title")) > 0
  and "id" < $17
  order by "id" desc
  limit 1;
select "id", ('{"id":' || '"' || "id" || '"' || ',"project_id":' || '"' || "project_id" || '"' || ',"brief_id":' || coalesce(to_json("brief_id")::text, 'null') || ',"group_id":' || '"' || "group_id" || '"' || ',"variant":' || "variant" || ',"translation_of":' || coalesce(to_json("translation_of")::text, 'null') || ',"translated_version":' || coalesce(to_json("translated_version")::text, 'null') || ',"channel":' || '"' || "channel" || '"' || ',"network":' || coalesce(to_json("network")::text, 'null') || ',"locale":' || coalesce(to_json("locale")::text, 'null') || ',"status":' || '"' || "status" || '"' || ',"review_state":' || '"' || "review_state" || '"' || ',"head_version":' || "head_version" || ',"reviewer":' || coalesce(to_json("reviewer")::text, 'null') || ',"approved_version":' || coalesce(to_json("approved_version")::text, 'null') || ',"published_version":' || coalesce(to_json("published_version")::text, 'null') || ',"scheduled_version":' || coalesce(to_json("scheduled_version")::text, 'null') || ',"has_unpublished_changes":' || to_json(coalesce(published_version <> head_version, false))::text || ',"engine":' || '"' || "engine" || '"' || ',"score":' || "score" || ',"verdict":' || '"' || "verdict" || '"' || ',"source_changed":' || to_json(coalesce(( select h.content_hash is distinct
  from v.content_hash
  from content s join content_version h on h.workspace_id = $1
  and h.content_id = s.id
  and h.version = s.head_version
  left join content_version v on v.workspace_id = $2
  and v.content_id = s.id
  and v.version = content.translated_version
  where s.workspace_id = $3
  and s.id = content.translation_of
  and s.deleted_at is null), false))::text || ',"title":' || coalesce(to_json("title")::text, 'null') || ',"slug":' || coalesce(to_json("slug")::text, 'null') || ',"revision":' || "revision" || ',"created_by":' || '"' || "created_by" || '"' || ',"created_at":' || coalesce('"' || to_char("created_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"updated_at":' || coalesce('"' || to_char("updated_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || '}') as "item"
  from "content"
  where "workspace_id" = $4
  and "deleted_at" is null
  and archived_at is null
  order by "id" desc
  limit 1;

-- db/content/contents.ts lockContent
select "id", "project_id", "brief_id", "group_id", "variant", "translation_of", "translated_version", "channel", "network", "locale", "title", "slug", "engine", "head_version", "revision", "review_state", "reviewer", "approved_version", "published_version", "scheduled_version", "score", "verdict", "status", "created_by", "created_at", "updated_at", coalesce(( select h.content_hash is distinct
  from v.content_hash
  from content s join content_version h on h.workspace_id = $1
  and h.content_id = s.id
  and h.version = s.head_version
  left join content_version v on v.workspace_id = $2
  and v.content_id = s.id
  and v.version = content.translated_version
  where s.workspace_id = $3
  and s.id = content.translation_of
  and s.deleted_at is null), false) as "source_changed"
  from "content"
  where "workspace_id" = $4
  and "deleted_at" is null
  and "id" = $5
  for update;

-- db/content/contents.ts purgeDeleted
delete from "content"
  where ("workspace_id", "id") in (select "workspace_id", "id"
  from "content"
  where deleted_at < now() - interval '30 days'
  limit $1);
delete from "content"
  where ((("workspace_id", "id") in (select "workspace_id", "id"
  from "content"
  where ((deleted_at < now() - interval '30 days')
  and "workspace_id" = any($1::uuid[]))
  limit $2))
  and "workspace_id" = any($3::uuid[]));

-- db/content/contents.ts purgeDeletedOf
delete from "content"
  where "workspace_id" = $1
  and "id" in (select "id"
  from "content"
  where "workspace_id" = $2
  and "deleted_at" < now() - make_interval(days => $3)
  limit $4);

-- db/content/contents.ts setArchived
update "content"
  set "archived_at" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3;
update "content"
  set "archived_at" = now(), "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/contents.ts setDeleted
update "content"
  set "deleted_at" = now(), "revision" = "revision" + 1
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/contents.ts undelete
update "content"
  set "deleted_at" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and "deleted_at" > now() - interval '30 days';

-- db/content/contents.ts updateContent
update "content"
  set "approved_version" = $1, "archived_at" = $2, "brief_id" = $3, "channel" = $4, "created_at" = $5, "created_by" = $6, "deleted_at" = $7, "engine" = $8, "group_id" = $9, "head_version" = $10, "locale" = $11, "network" = $12, "project_id" = $13, "published_version" = $14, "review_state" = $15, "reviewer" = $16, "revision" = "revision" + 1, "scheduled_version" = $17, "score" = $18, "slug" = $19, "title" = $20, "translated_version" = $21, "translation_of" = $22, "updated_at" = now(), "variant" = $23, "verdict" = $24
  where "workspace_id" = $25
  and "id" = $26;
update "content"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/generation-outputs.ts endOutputs
update "content_generation_output"
  set "status" = $1, "error" = $2
  where "workspace_id" = $3
  and "generation_id" = $4
  and "status" = $5;

-- db/content/generation-outputs.ts findBusy
select "generation_id"
  from "content_generation_output"
  where "workspace_id" = $1
  and "content_id" in ($2)
  and "status" = $3
  limit 1;
select "generation_id"
  from "content_generation_output"
  where "workspace_id" = $1
  and "content_id" in ()
  and "status" = $2
  limit 1;

-- db/content/generation-outputs.ts findLastOutput
select "generation_id" as "id", "status", "error"
  from "content_generation_output"
  where "workspace_id" = $1
  and "content_id" = $2
  order by "generation_id" desc
  limit 1;

-- db/content/generation-outputs.ts insertOutputs
insert into "content_generation_output" ("base_version", "channel", "content_id", "locale", "network", "number", "result_version", "source_id", "source_version", "status", "variant", "workspace_id", "generation_id", "refused")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);
insert into "content_generation_output" ()
  values;

-- db/content/generation-outputs.ts listEngineTexts
select "body"
  from "content_version"
  where "workspace_id" = $1
  and "content_id" = $2
  and "origin" = $3;
select "proposal"
  from "content_generation_output"
  where "workspace_id" = $1
  and "content_id" = $2
  and "proposal" is not null;

-- db/content/generation-outputs.ts listOutputs
select "generation_id", "number", "content_id", "channel", "network", "locale", "variant", "base_version", "source_id", "source_version", "status", "result_version", "suggestions", "refused", "error"
  from "content_generation_output"
  where "workspace_id" = $1
  and "generation_id" in ($2)
  order by "generation_id", "number";

-- db/content/generation-outputs.ts updateOutput
update "content_generation_output"
  set "result_version" = $1, "status" = $2, "suggestions" = $3, "proposal" = $4, "refused" = $5, "error" = $6
  where "workspace_id" = $7
  and "generation_id" = $8
  and "number" = $9;
update "content_generation_output"
  set "status" = $1
  where "workspace_id" = $2
  and "generation_id" = $3
  and "number" = $4;

-- db/content/generation-progress.ts appendFirst
update "content_generation"
  set "event_seq" = "event_seq" + $1::bigint
  where "workspace_id" = $2
  and "id" = $3
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
insert into stream_event (workspace_id, stream_id, position, event, data) select $1::uuid, e.*
  from unnest($2::uuid[], $3::bigint[], $4::text[], $5::json[]) as e
  on conflict do nothing;

-- db/content/generation-progress.ts generationLeases.claim
update "content_generation"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end
  where workspace_id = $3
  and id = $4
  and ("status" in ('queued', 'running')
  and ( ($5::boolean
  and lease_owner is null)
  or ($6::boolean
  and lease_until < statement_timestamp()
  and not id = any($7::uuid[]))))
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";

-- db/content/generation-progress.ts generationLeases.findClaimable
select coalesce((select json_agg(due)
  from (select workspace_id, id
  from ( select workspace_id, id, "created_at" as since, row_number() over (partition by workspace_id
  order by "created_at") as turn
  from "content_generation"
  where ("status" in ('queued', 'running')
  and ( ($1::boolean
  and lease_owner is null)
  or ($2::boolean
  and lease_until < statement_timestamp()
  and not id = any($3::uuid[]))))) as waiting
  order by turn, since
  limit $4) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "content_generation"
  where "status" in ('queued', 'running')
  and lease_until >= now()
  and not id = any($5::uuid[])) as lapses_in_ms;
select coalesce((select json_agg(due)
  from (select workspace_id, id
  from ( select workspace_id, id, "created_at" as since, row_number() over (partition by workspace_id
  order by "created_at") as turn
  from "content_generation"
  where ((("status" in ('queued', 'running')
  and ( ($1::boolean
  and lease_owner is null)
  or ($2::boolean
  and lease_until < statement_timestamp()
  and not id = any($3::uuid[])))))
  and "workspace_id" = any($4::uuid[]))) as waiting
  order by turn, since
  limit $5) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "content_generation"
  where (("status" in ('queued', 'running')
  and lease_until >= now()
  and not id = any($6::uuid[]))
  and "workspace_id" = any($7::uuid[]))) as lapses_in_ms;

-- db/content/generation-progress.ts generationLeases.listHeld
select id, lease_epoch, cancel_requested_at is not null as cancel_requested
  from "content_generation"
  where workspace_id = $1
  and id = any($2::uuid[])
  and lease_owner = $3
  and "status" in ('queued', 'running');

-- db/content/generation-progress.ts generationLeases.releaseLease
update "content_generation"
  set lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1, attempts = 0
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('queued', 'running');

-- db/content/generation-progress.ts generationLeases.renew
update "content_generation"
  set lease_until = statement_timestamp() + make_interval(secs => $1)
  where workspace_id = $2
  and id = any($3::uuid[])
  and lease_owner = $4
  and "status" in ('queued', 'running')
  returning id, lease_epoch;

-- db/content/generation-progress.ts writeIn
update "content_generation"
  set "event_seq" = "event_seq" + $1::bigint, "started_at" = least("started_at", statement_timestamp()), "status" = $2, "error" = $3, "finished_at" = statement_timestamp(), "lease_owner" = $4, "lease_until" = $5, "lease_epoch" = lease_epoch + 1
  where workspace_id = $6
  and id = $7
  and lease_epoch = $8
  and "status" in ('queued', 'running')
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
update "content_generation"
  set "event_seq" = "event_seq" + $1::bigint, "started_at" = least("started_at", statement_timestamp()), "status" = $2, "finished_at" = statement_timestamp(), "lease_owner" = $3, "lease_until" = $4, "lease_epoch" = lease_epoch + 1
  where workspace_id = $5
  and id = $6
  and lease_epoch = $7
  and "status" in ('queued', 'running')
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
update "content_generation"
  set "event_seq" = "event_seq" + $1::bigint, "started_at" = least("started_at", statement_timestamp()), "status" = $2, "error" = $3
  where workspace_id = $4
  and id = $5
  and lease_epoch = $6
  and "status" in ('queued', 'running')
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
update "content_generation"
  set "event_seq" = "event_seq" + $1::bigint, "started_at" = least("started_at", statement_timestamp()), "status" = $2, "error" = $3, "warned_at" = statement_timestamp(), "finished_at" = statement_timestamp(), "lease_owner" = $4, "lease_until" = $5, "lease_epoch" = lease_epoch + 1
  where workspace_id = $6
  and id = $7
  and lease_epoch = $8
  and "status" in ('queued', 'running')
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
update "content_generation"
  set "event_seq" = "event_seq" + $1::bigint, "started_at" = least("started_at", statement_timestamp())
  where workspace_id = $2
  and id = $3
  and lease_epoch = $4
  and "status" in ('queued', 'running')
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
update "content_generation_step"
  set "input_tokens" = "input_tokens" + $1::bigint, "output_tokens" = "output_tokens" + $2::bigint, "cache_read_tokens" = "cache_read_tokens" + $3::bigint, "cache_write_tokens" = "cache_write_tokens" + $4::bigint, "cost_usd_micros" = "cost_usd_micros" + $5::bigint, "finished_at" = statement_timestamp(), "status" = $6, "error" = $7
  where "workspace_id" = $8
  and "generation_id" = $9
  and "key" = $10;
insert into stream_event (workspace_id, stream_id, position, event, data) select $1::uuid, e.*
  from unnest($2::uuid[], $3::bigint[], $4::text[], $5::json[]) as e
  on conflict do nothing;
insert into content_generation_step (workspace_id, generation_id, key, ordinal, status, attempt, started_at) select $1::uuid, $2::uuid, $3, count(*), 'running', 1, statement_timestamp()
  from content_generation_step
  where workspace_id = $4
  and generation_id = $5
  on conflict (workspace_id, generation_id, key) do update
  set status = 'running', error = null, finished_at = null, attempt = content_generation_step.attempt + 1;
update "content_generation_step"
  set "input_tokens" = "input_tokens" + $1::bigint, "output_tokens" = "output_tokens" + $2::bigint, "cache_read_tokens" = "cache_read_tokens" + $3::bigint, "cache_write_tokens" = "cache_write_tokens" + $4::bigint, "cost_usd_micros" = "cost_usd_micros" + $5::bigint, "finished_at" = statement_timestamp(), "status" = $6, "result" = $7
  where "workspace_id" = $8
  and "generation_id" = $9
  and "key" = $10;

-- db/content/generations.ts copySteps
insert into "content_generation_step" ("workspace_id", "generation_id", "key", "ordinal", "status", "attempt", "result", "started_at", "finished_at") select "workspace_id", $1::uuid as "generation_id", "key", "ordinal", "status", 0 as "attempt", "result", "started_at", "finished_at"
  from "content_generation_step"
  where "workspace_id" = $2
  and "generation_id" = $3
  and "status" = $4
  and split_part(key, ':', 1)::integer = any($5);

-- db/content/generations.ts dropResults
update "content_generation_step"
  set "result" = $1
  where "workspace_id" = $2
  and "generation_id" = $3;

-- db/content/generations.ts findGeneration
select "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "content_generation"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/generations.ts findGenerationResource
select "project_id"
  from "content_generation"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/generations.ts insertGeneration
insert into "content_generation" ("brand_version", "brief_id", "created_by", "engine", "mode", "project_id", "retry_of", "workspace_id", "id", "status", "request", "estimate", "prompt_inputs", "plan", "brief")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
insert into "content_generation" ("brand_version", "brief_id", "created_by", "engine", "mode", "project_id", "retry_of", "workspace_id", "id", "status", "request", "estimate", "prompt_inputs", "plan", "brief", "started_at", "finished_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, statement_timestamp(), statement_timestamp())
  returning "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";

-- db/content/generations.ts listGenerations
select "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "content_generation"
  where "workspace_id" = $1
  and "project_id" = any($2)
  and "project_id" = $3
  and "id" in (select "generation_id"
  from "content_generation_output"
  where "workspace_id" = $4
  and "content_id" = $5)
  and "id" < $6
  order by "id" desc
  limit 1;
select "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "content_generation"
  where "workspace_id" = $1
  order by "id" desc
  limit 1;

-- db/content/generations.ts listSteps
select "generation_id", "key", "ordinal", "status", "attempt", "error", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd_micros", "started_at", "finished_at"
  from "content_generation_step"
  where "workspace_id" = $1
  and "generation_id" in ($2)
  order by "generation_id", "ordinal", "key";

-- db/content/generations.ts markCancelled
update "content_generation"
  set "cancel_requested_at" = least("cancel_requested_at", statement_timestamp())
  where "workspace_id" = $1
  and "id" = $2
  and "finished_at" is null;
select "workspace_id", "id", "project_id", "brief_id", "mode", "engine", "plan", "brief", "status", "request", "estimate", "brand_version", "prompt_inputs", "retry_of", "error", "warned_at", "cancel_requested_at", "event_seq", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "content_generation"
  where "workspace_id" = $1
  and "id" = $2
  for update;

-- db/content/generations.ts readResults
select "key", "result"
  from "content_generation_step"
  where "workspace_id" = $1
  and "generation_id" = $2
  and "status" = $3;

-- db/content/placements.ts deleteImage
delete from "content_image"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/placements.ts feedChangedAt
select max(updated_at) as "at"
  from "content_placement"
  where "workspace_id" = $1
  and "target_id" = $2;

-- db/content/placements.ts findImage
select "workspace_id", "id", "project_id", "media_type", "width", "height", "size", "data", "object_key", "hash", exists (select
  from content_image_use p
  where p.workspace_id = $1
  and p.image_id = content_image.id) as "is_public"
  from "content_image"
  where "workspace_id" = $2
  and "id" = $3;

-- db/content/placements.ts findImageResource
select "project_id"
  from "content_image"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/placements.ts insertImage
insert into "content_image" ("created_by", "data", "hash", "height", "id", "media_type", "object_key", "project_id", "size", "width", "workspace_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("workspace_id", "project_id", "hash") do nothing
  returning "id";
select "id", "project_id", "media_type", "width", "height", "size", "created_at", exists (select
  from content_image_use p
  where p.workspace_id = $1
  and p.image_id = content_image.id) as "is_public"
  from "content_image"
  where "workspace_id" = $2
  and "project_id" = $3
  and "hash" = $4;

-- db/content/placements.ts isTargetUsed
select "content_id"
  from "content_placement"
  where "workspace_id" = $1
  and "target_id" = $2
  and "live" = $3
  limit 1;

-- db/content/placements.ts listFeed
select "p"."content_id", "c"."channel", "p"."version", "p"."published_at", "p"."updated_at"
  from "content_placement" as "p"
  inner join "content" as "c" on "c"."workspace_id" = "p"."workspace_id"
  and "c"."id" = "p"."content_id"
  where "p"."workspace_id" = $1
  and "p"."target_id" = $2
  and "p"."live" = $3
  order by "p"."published_at" desc
  limit 1;

-- db/content/placements.ts listImageUses
select "v"."content_id", "c"."title", "v"."version", c.deleted_at is not null as "deleted"
  from "content_version" as "v"
  inner join "content" as "c" on "c"."workspace_id" = "v"."workspace_id"
  and "c"."id" = "v"."content_id"
  where "v"."workspace_id" = $1
  and position($2 in v.body::text) > 0
  order by "v"."content_id" desc, "v"."version" desc
  limit 1;

-- db/content/placements.ts listImages
select "id", "project_id", "media_type", "width", "height", "size", "created_at", exists (select
  from content_image_use p
  where p.workspace_id = $1
  and p.image_id = content_image.id) as "is_public"
  from "content_image"
  where "workspace_id" = $2
  and "project_id" = $3
  and project_id = any($4::uuid[])
  and "id" < $5
  order by "id" desc
  limit 1;
select "id", "project_id", "media_type", "width", "height", "size", "created_at", exists (select
  from content_image_use p
  where p.workspace_id = $1
  and p.image_id = content_image.id) as "is_public"
  from "content_image"
  where "workspace_id" = $2
  order by "id" desc
  limit 1;

-- db/content/placements.ts listKnownImages
select "id", "size", "media_type", "width", "height"
  from "content_image"
  where "workspace_id" = $1
  and "project_id" = $2
  and "id" = any($3);

-- db/content/placements.ts listPlacements
select "target_id", "kind", "version", "publication_id", "external", "live"
  from "content_placement"
  where "workspace_id" = $1
  and "content_id" = $2;

-- db/content/placements.ts lockImage
select "id", "object_key"
  from "content_image"
  where "workspace_id" = $1
  and "id" = $2
  for update;

-- db/content/placements.ts recompute
update "content"
  set "published_version" = (select p.version
  from content_placement p
  where p.workspace_id = $1
  and p.content_id = $2
  and p.live
  order by p.updated_at desc
  limit 1), "scheduled_version" = (select q.version
  from content_publication q
  where q.workspace_id = $3
  and q.content_id = $4
  and q.action <> 'unpublish'
  and q.state in ('scheduled', 'queued', 'running', 'retrying', 'unknown', 'awaiting_merge')
  order by q.next_attempt_at
  limit 1), "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $5
  and "id" = $6;

-- db/content/placements.ts releaseImages
delete from "content_image_use"
  where "workspace_id" = $1
  and "content_id" = $2
  and "target_id" = $3
  and not exists (select "p"."version"
  from "content_placement" as "p"
  where "p"."workspace_id" = $4
  and "p"."content_id" = "content_image_use"."content_id"
  and "p"."target_id" = "content_image_use"."target_id"
  and "p"."version" = "content_image_use"."version"
  and "p"."live" = $5);

-- db/content/placements.ts savePlacement
insert into "content_placement" ("workspace_id", "content_id", "target_id", "kind", "version", "publication_id", "live", "external", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, statement_timestamp())
  on conflict ("workspace_id", "content_id", "target_id") do update
  set "version" = $9, "publication_id" = $10, "live" = $11, "external" = $12, "updated_at" = "excluded"."updated_at";
update "content_publication"
  set "retired_at" = statement_timestamp()
  where "workspace_id" = $1
  and "content_id" = $2
  and "target_id" = $3
  and "id" <> $4
  and "state" in ($5, $6)
  and "retired_at" is null;

-- db/content/placements.ts sumImages
select coalesce(sum("size"), 0)::bigint as "size"
  from "content_image"
  where "workspace_id" = $1
  and "object_key" is null;

-- db/content/placements.ts useImages
insert into "content_image_use" ("workspace_id", "image_id", "content_id", "target_id", "version") select "workspace_id", "id", $1::uuid as "content_id", $2::uuid as "target_id", $3::integer as "version"
  from "content_image"
  where "workspace_id" = $4
  and "project_id" = $5
  and "id" = any($6)
  on conflict do nothing;
update "content_image"
  set "public_since" = statement_timestamp()
  where "workspace_id" = $1
  and "project_id" = $2
  and "id" = any($3)
  and "public_since" is null;

-- db/content/publications.ts countOverdue
select count(*)::integer as "count"
  from "content_publication"
  where (state in ('scheduled', 'queued')
  and next_attempt_at < statement_timestamp() - interval '2 minutes');
select count(*)::integer as "count"
  from "content_publication"
  where (((state in ('scheduled', 'queued')
  and next_attempt_at < statement_timestamp() - interval '2 minutes'))
  and "workspace_id" = any($1::uuid[]));

-- db/content/publications.ts duePublications.claim
with due as (select id, "state" as was
  from "content_publication"
  where workspace_id = $1
  and id = $2
  and ((state in ('scheduled', 'queued', 'retrying', 'unknown', 'awaiting_merge')
  and next_attempt_at <= statement_timestamp())
  or (state = 'running'
  and lease_until < statement_timestamp()))
  and not exists (select
  from content_publication p
  where p.workspace_id = $3
  and p.content_id = content_publication.content_id
  and p.target_id = content_publication.target_id
  and p.id <> content_publication.id
  and p.state = 'running'
  and p.lease_until > statement_timestamp())
  for update) update "content_publication"
  set state = 'running', lease_epoch = "lease_epoch" + 1, lease_until = statement_timestamp() + make_interval(secs => $4)
  from due
  where "content_publication"."workspace_id" = $5
  and "content_publication"."id" = due.id
  returning "content_publication"."workspace_id", "content_publication"."id", "content_publication"."content_id", "content_publication"."version", "content_publication"."target_id", "content_publication"."target_name", "content_publication"."kind", "content_publication"."action", "content_publication"."state", "content_publication"."error", "content_publication"."publish_at", "content_publication"."timezone", "content_publication"."misfire", "content_publication"."republish", "content_publication"."overwrite", "content_publication"."warnings", "content_publication"."attempts", "content_publication"."attempt_count", "content_publication"."external", "content_publication"."next_attempt_at", "content_publication"."lease_epoch", "content_publication"."principal", "content_publication"."created_by", "content_publication"."created_at", "content_publication"."finished_at", due.*;

-- db/content/publications.ts duePublications.listLate
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "content_publication"
  where ((state in ('scheduled', 'queued', 'retrying', 'unknown', 'awaiting_merge')
  and next_attempt_at <= statement_timestamp())
  or (state = 'running'
  and lease_until < statement_timestamp()))) as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "content_publication"
  where ((((state in ('scheduled', 'queued', 'retrying', 'unknown', 'awaiting_merge')
  and next_attempt_at <= statement_timestamp())
  or (state = 'running'
  and lease_until < statement_timestamp())))
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/content/publications.ts findPublication
select "workspace_id", "id", "content_id", "version", "target_id", "target_name", "kind", "action", "state", "error", "publish_at", "timezone", "misfire", "republish", "overwrite", "warnings", "attempts", "attempt_count", "external", "next_attempt_at", "lease_epoch", "principal", "created_by", "created_at", "finished_at", (state in ('scheduled', 'queued')
  and next_attempt_at < statement_timestamp() - interval '2 minutes') as "overdue"
  from "content_publication"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/publications.ts findPublicationOf
select "workspace_id", "id", "content_id", "version", "target_id", "target_name", "kind", "action", "state", "error", "publish_at", "timezone", "misfire", "republish", "overwrite", "warnings", "attempts", "attempt_count", "external", "next_attempt_at", "lease_epoch", "principal", "created_by", "created_at", "finished_at", (state in ('scheduled', 'queued')
  and next_attempt_at < statement_timestamp() - interval '2 minutes') as "overdue"
  from "content_publication"
  where "workspace_id" = $1
  and "dedupe_key" = $2
  and "state" <> $3
  and "retired_at" is null;

-- db/content/publications.ts insertPublication
insert into "content_publication" ("action", "content_id", "created_by", "dedupe_key", "kind", "misfire", "overwrite", "principal", "publish_at", "republish", "target_id", "target_name", "timezone", "version", "warnings", "workspace_id", "id", "state", "attempts", "next_attempt_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
  on conflict ("workspace_id", "dedupe_key")
  where state <> 'cancelled'
  and retired_at is null do nothing
  returning "id";
select "workspace_id", "id", "content_id", "version", "target_id", "target_name", "kind", "action", "state", "error", "publish_at", "timezone", "misfire", "republish", "overwrite", "warnings", "attempts", "attempt_count", "external", "next_attempt_at", "lease_epoch", "principal", "created_by", "created_at", "finished_at", (state in ('scheduled', 'queued')
  and next_attempt_at < statement_timestamp() - interval '2 minutes') as "overdue"
  from "content_publication"
  where "workspace_id" = $1
  and "dedupe_key" = $2
  and "state" <> $3
  and "retired_at" is null;
insert into "content_publication" ("action", "content_id", "created_by", "dedupe_key", "kind", "misfire", "overwrite", "principal", "publish_at", "republish", "target_id", "target_name", "timezone", "version", "warnings", "workspace_id", "id", "state", "attempts", "next_attempt_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, statement_timestamp())
  on conflict ("workspace_id", "dedupe_key")
  where state <> 'cancelled'
  and retired_at is null do nothing
  returning "id";
select "workspace_id", "id", "content_id", "version", "target_id", "target_name", "kind", "action", "state", "error", "publish_at", "timezone", "misfire", "republish", "overwrite", "warnings", "attempts", "attempt_count", "external", "next_attempt_at", "lease_epoch", "principal", "created_by", "created_at", "finished_at", (state in ('scheduled', 'queued')
  and next_attempt_at < statement_timestamp() - interval '2 minutes') as "overdue"
  from "content_publication"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/publications.ts listNear
select "p"."content_id", "c"."title", coalesce(p.publish_at, p.created_at) as "at"
  from "content_publication" as "p"
  inner join "content" as "c" on "c"."workspace_id" = "p"."workspace_id"
  and "c"."id" = "p"."content_id"
  where "p"."workspace_id" = $1
  and "p"."target_id" = $2
  and "p"."content_id" <> $3
  and coalesce(p.publish_at, p.created_at) > coalesce($4::timestamptz, statement_timestamp()) - interval '60 minutes'
  and coalesce(p.publish_at, p.created_at) < coalesce($5::timestamptz, statement_timestamp()) + interval '60 minutes'
  and "p"."action" <> $6
  and "p"."state" not in ($7, $8)
  order by coalesce(p.publish_at, p.created_at)
  limit 5;

-- db/content/publications.ts listPublications
select "workspace_id", "id", "content_id", "version", "target_id", "target_name", "kind", "action", "state", "error", "publish_at", "timezone", "misfire", "republish", "overwrite", "warnings", "attempts", "attempt_count", "external", "next_attempt_at", "lease_epoch", "principal", "created_by", "created_at", "finished_at", (state in ('scheduled', 'queued')
  and next_attempt_at < statement_timestamp() - interval '2 minutes') as "overdue"
  from "content_publication"
  where "workspace_id" = $1
  and "content_id" = $2
  order by "id" desc
  limit 100;

-- db/content/publications.ts movePublication
update "content_publication"
  set "state" = $1, "next_attempt_at" = $2, "finished_at" = statement_timestamp()
  where "workspace_id" = $3
  and "id" = $4
  and "state" in ($5);
update "content_publication"
  set "state" = $1, "next_attempt_at" = $2, "finished_at" = statement_timestamp()
  where "workspace_id" = $3
  and "id" = $4
  and "state" in ();
update "content_publication"
  set "state" = $1, "next_attempt_at" = statement_timestamp(), "attempt_count" = $2, "finished_at" = $3, "error" = $4
  where "workspace_id" = $5
  and "id" = $6
  and "state" in ($7);
update "content_publication"
  set "state" = $1, "next_attempt_at" = statement_timestamp(), "attempt_count" = $2, "finished_at" = $3, "error" = $4
  where "workspace_id" = $5
  and "id" = $6
  and "state" in ();

-- db/content/publications.ts settlePublication
update "content_publication"
  set "state" = $1, "error" = $2, "attempts" = $3, "attempt_count" = $4, "lease_until" = $5, "next_attempt_at" = statement_timestamp() + make_interval(secs => $6), "external" = $7
  where workspace_id = $8
  and id = $9
  and lease_epoch = $10
  and "state" in ('running');
update "content_publication"
  set "state" = $1, "error" = $2, "attempts" = $3, "attempt_count" = $4, "lease_until" = $5, "next_attempt_at" = statement_timestamp() + make_interval(secs => $6), "external" = $7, "finished_at" = statement_timestamp()
  where workspace_id = $8
  and id = $9
  and lease_epoch = $10
  and "state" in ('running');
update "content_publication"
  set "state" = $1, "error" = $2, "attempts" = $3, "attempt_count" = $4, "lease_until" = $5, "next_attempt_at" = $6
  where workspace_id = $7
  and id = $8
  and lease_epoch = $9
  and "state" in ('running');

-- db/content/scheduled.ts listScheduled
select "p"."id", "p"."version", "p"."target_name", "p"."kind", "p"."action", "p"."created_at", "p"."publish_at", "p"."content_id", "c"."title", "c"."project_id", "c"."locale"
  from "content_publication" as "p"
  inner join "content" as "c" on "c"."workspace_id" = "p"."workspace_id"
  and "c"."id" = "p"."content_id"
  where "p"."workspace_id" = $1
  and "p"."state" = $2
  and "c"."deleted_at" is null
  and "c"."project_id" = any($3)
  order by "p"."publish_at", "p"."id"
  limit $4;
select "p"."id", "p"."version", "p"."target_name", "p"."kind", "p"."action", "p"."created_at", "p"."publish_at", "p"."content_id", "c"."title", "c"."project_id", "c"."locale"
  from "content_publication" as "p"
  inner join "content" as "c" on "c"."workspace_id" = "p"."workspace_id"
  and "c"."id" = "p"."content_id"
  where "p"."workspace_id" = $1
  and "p"."state" = $2
  and "c"."deleted_at" is null
  order by "p"."publish_at", "p"."id"
  limit $3;

-- db/content/sources.ts findSourceOfBrief
select "id", "brief_id", "kind", "name", "media_type", "text", "read_at"
  from "content_source"
  where "workspace_id" = $1
  and "brief_id" = $2
  and "id" = $3;

-- db/content/sources.ts listSources
select "id", "brief_id", "kind", "name", "media_type", "text", "read_at"
  from "content_source"
  where "workspace_id" = $1
  and "brief_id" = $2
  order by "id"
  limit 20;

-- db/content/sources.ts putSource
insert into "content_source" ("kind", "media_type", "name", "text", "workspace_id", "id", "brief_id", "created_by")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("workspace_id", "brief_id", "name") do update
  set "text" = "excluded"."text", "media_type" = "excluded"."media_type", "kind" = "excluded"."kind", "read_at" = "excluded"."read_at"
  returning "id", "brief_id", "kind", "name", "media_type", "text", "read_at";

-- db/content/statements.ts acceptStatement
insert into "content_statement" ("workspace_id", "id", "content_id", "key", "text", "accepted_by", "accepted_at", "accepted_because")
  values ($1, $2, $3, $4, $5, $6, now(), $7)
  on conflict ("workspace_id", "content_id", "key") do update
  set "accepted_by" = "excluded"."accepted_by", "accepted_at" = "excluded"."accepted_at", "accepted_because" = "excluded"."accepted_because"
  where content_statement.accepted_by is null;

-- db/content/statements.ts listStatements
select "text", "fact_ids", "facts_hash", "verdict", "reason", "judged_at", "accepted_by", "accepted_at", "accepted_because"
  from "content_statement"
  where "workspace_id" = $1
  and "content_id" = $2
  order by "id";

-- db/content/statements.ts storeJudgements
insert into "content_statement" ("fact_ids", "facts_hash", "reason", "text", "verdict", "key", "workspace_id", "id", "content_id", "generation_id", "judged_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
  on conflict ("workspace_id", "content_id", "key") do update
  set "fact_ids" = "excluded"."fact_ids", "facts_hash" = "excluded"."facts_hash", "verdict" = "excluded"."verdict", "reason" = "excluded"."reason", "generation_id" = "excluded"."generation_id", "judged_at" = "excluded"."judged_at";

-- db/content/suggestions.ts decideSuggestion
update "content_suggestion"
  set "status" = $1, "decided_by" = $2, "decided_at" = statement_timestamp()
  where "workspace_id" = $3
  and "id" = $4;

-- db/content/suggestions.ts insertRepairs
insert into "content_repair" ("after", "before", "end_at", "field", "finding", "start_at", "content_id", "created_by", "version", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- db/content/suggestions.ts insertSuggestions
delete from "content_suggestion"
  where "workspace_id" = $1
  and "content_id" = $2
  and "status" = $3
  and "target" in ($4);
insert into "content_suggestion" ("before", "target", "text", "workspace_id", "id", "content_id", "generation_id")
  values ($1, $2, $3, $4, $5, $6, $7);

-- db/content/suggestions.ts listRepairs
select "id", "content_id", "version", "field", "start_at", "end_at", "before", "after", "finding", "created_by", "created_at", "undone_version", "undone_by", "undone_at"
  from "content_repair"
  where "workspace_id" = $1
  and "content_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "content_id", "version", "field", "start_at", "end_at", "before", "after", "finding", "created_by", "created_at", "undone_version", "undone_by", "undone_at"
  from "content_repair"
  where "workspace_id" = $1
  and "content_id" = $2
  order by "id" desc
  limit 1;

-- db/content/suggestions.ts listSuggestions
select "id", "generation_id", "target", "before", "text", "status", "decided_by", "decided_at", "created_at"
  from "content_suggestion"
  where "workspace_id" = $1
  and "content_id" = $2
  order by "id" desc
  limit 100;

-- db/content/suggestions.ts lockRepair
select "id", "content_id", "version", "field", "start_at", "end_at", "before", "after", "finding", "created_by", "created_at", "undone_version", "undone_by", "undone_at"
  from "content_repair"
  where "workspace_id" = $1
  and "content_id" = $2
  and "id" = $3
  for update;

-- db/content/suggestions.ts lockSuggestion
select "id", "generation_id", "target", "before", "text", "status", "decided_by", "decided_at", "created_at"
  from "content_suggestion"
  where "workspace_id" = $1
  and "content_id" = $2
  and "id" = $3
  for update;

-- db/content/suggestions.ts markUndone
update "content_repair"
  set "undone_version" = $1, "undone_by" = $2, "undone_at" = now()
  where "workspace_id" = $3
  and "id" = $4;

-- db/content/threads.ts countComments
select count(*)::integer as "count"
  from "content_comment"
  where "workspace_id" = $1
  and "thread_id" = $2;

-- db/content/threads.ts countThreads
select count(*)::integer as "count"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2;

-- db/content/threads.ts deleteComment
update "content_comment"
  set "text" = $1, "deleted_at" = now()
  where "workspace_id" = $2
  and "thread_id" = $3
  and "id" = $4;

-- db/content/threads.ts deleteThread
delete from "content_thread"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/threads.ts deleteTrailing
delete from "content_comment"
  where "workspace_id" = $1
  and "thread_id" = $2
  and "deleted_at" is not null
  and not exists (select
  from content_comment later
  where later.workspace_id = $3
  and later.thread_id = $4
  and later.deleted_at is null
  and later.id > content_comment.id);

-- db/content/threads.ts editComment
update "content_comment"
  set "text" = $1, "edited_at" = now()
  where "workspace_id" = $2
  and "thread_id" = $3
  and "id" = $4;

-- db/content/threads.ts findComment
select "author", "deleted_at"
  from "content_comment"
  where "workspace_id" = $1
  and "thread_id" = $2
  and "id" = $3;

-- db/content/threads.ts findThread
select "id", "content_id", "version", "field", "exact", "prefix", "suffix", "start_at", "end_at", "anchor_field", "anchor_start", "anchor_end", "resolved_by", "resolved_at", "revision", "created_by", "created_at", "updated_at"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2
  and "id" = $3;

-- db/content/threads.ts insertComment
insert into "content_comment" ("workspace_id", "id", "thread_id", "author", "text", "created_at")
  values ($1, $2, $3, $4, $5, statement_timestamp());

-- db/content/threads.ts insertReviewNotice
insert into "content_review_notice" ("caused_by", "content_id", "kind", "user_id", "version", "workspace_id", "id", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, statement_timestamp());

-- db/content/threads.ts insertThread
insert into "content_thread" ("content_id", "created_by", "end_at", "exact", "field", "prefix", "start_at", "suffix", "version", "anchor_field", "anchor_start", "anchor_end", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- db/content/threads.ts listAllThreads
select "id", "content_id", "version", "field", "exact", "prefix", "suffix", "start_at", "end_at", "anchor_field", "anchor_start", "anchor_end", "resolved_by", "resolved_at", "revision", "created_by", "created_at", "updated_at"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2
  order by "id";

-- db/content/threads.ts listComments
select "id", "thread_id", "author", "text", "created_at", "edited_at", "deleted_at"
  from "content_comment"
  where "workspace_id" = $1
  and "thread_id" = any($2)
  order by "thread_id", id;

-- db/content/threads.ts listReviewNotices
select "n"."id", "n"."user_id", "n"."content_id", "n"."version", "n"."kind", "n"."caused_by", "n"."created_at", "c"."title", "c"."project_id"
  from "content_review_notice" as "n"
  inner join "content" as "c" on "c"."workspace_id" = "n"."workspace_id"
  and "c"."id" = "n"."content_id"
  where "n"."workspace_id" = $1
  and "n"."user_id" = any($2)
  and "n"."created_at" >= $3
  and "c"."deleted_at" is null
  order by "n"."created_at"
  limit $4;

-- db/content/threads.ts listThreads
select "id", "content_id", "version", "field", "exact", "prefix", "suffix", "start_at", "end_at", "anchor_field", "anchor_start", "anchor_end", "resolved_by", "resolved_at", "revision", "created_by", "created_at", "updated_at"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "content_id", "version", "field", "exact", "prefix", "suffix", "start_at", "end_at", "anchor_field", "anchor_start", "anchor_end", "resolved_by", "resolved_at", "revision", "created_by", "created_at", "updated_at"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2
  and "resolved_at" is null
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "content_id", "version", "field", "exact", "prefix", "suffix", "start_at", "end_at", "anchor_field", "anchor_start", "anchor_end", "resolved_by", "resolved_at", "revision", "created_by", "created_at", "updated_at"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2
  and "resolved_at" is not null
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "content_id", "version", "field", "exact", "prefix", "suffix", "start_at", "end_at", "anchor_field", "anchor_start", "anchor_end", "resolved_by", "resolved_at", "revision", "created_by", "created_at", "updated_at"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2
  and "resolved_at" is not null
  order by "id" desc
  limit 1;

-- db/content/threads.ts lockThread
select "id", "content_id", "version", "field", "exact", "prefix", "suffix", "start_at", "end_at", "anchor_field", "anchor_start", "anchor_end", "resolved_by", "resolved_at", "revision", "created_by", "created_at", "updated_at"
  from "content_thread"
  where "workspace_id" = $1
  and "content_id" = $2
  and "id" = $3
  for update;

-- db/content/threads.ts moveAnchor
update "content_thread"
  set "anchor_field" = $1, "anchor_start" = $2, "anchor_end" = $3
  where "workspace_id" = $4
  and "id" = $5;

-- db/content/threads.ts updateThread
update "content_thread"
  set "revision" = "revision" + 1, "updated_at" = now(), "resolved_by" = $1, "resolved_at" = now()
  where "workspace_id" = $2
  and "id" = $3;
update "content_thread"
  set "revision" = "revision" + 1, "updated_at" = now(), "resolved_by" = $1, "resolved_at" = $2
  where "workspace_id" = $3
  and "id" = $4;
update "content_thread"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/versions.ts findLink
select "id", "translation_of"
  from "content"
  where "workspace_id" = $1
  and "id" = $2;

-- db/content/versions.ts findSource
select "id", "title", "locale", "head_version", "translation_of", "translated_version", "project_id"
  from "content"
  where "workspace_id" = $1
  and "deleted_at" is null
  and "id" = $2;

-- db/content/versions.ts findVersion
select "version", "body", "content_hash", "origin", "review_state", "review_comment", "reviewed_by", "reviewed_at", "brand_version", "checks", "author", "created_at"
  from "content_version"
  where "workspace_id" = $1
  and "content_id" = $2
  and "version" = $3;

-- db/content/versions.ts listTranslations
select "id", "title", "locale", "head_version", "translation_of", "translated_version", "project_id"
  from "content"
  where "workspace_id" = $1
  and "deleted_at" is null
  and "project_id" = $2
  and "translation_of" = $3
  order by "id"
  limit 100;

-- db/content/versions.ts listVersions
select "version", "origin", "review_state", "review_comment", "reviewed_by", "reviewed_at", "content_hash", "brand_version", "author", "created_at", body->>'title' as "title", (checks->>'score')::integer as "score"
  from "content_version"
  where "workspace_id" = $1
  and "content_id" = $2
  and "version" < $3
  order by "version" desc
  limit 1;
select "version", "origin", "review_state", "review_comment", "reviewed_by", "reviewed_at", "content_hash", "brand_version", "author", "created_at", body->>'title' as "title", (checks->>'score')::integer as "score"
  from "content_version"
  where "workspace_id" = $1
  and "content_id" = $2
  order by "version" desc
  limit 1;

-- db/content/versions.ts setChecks
update "content_version"
  set "checks" = $1, "brand_version" = $2
  where "workspace_id" = $3
  and "content_id" = $4
  and "version" = $5;

-- db/content/versions.ts setReview
update "content_version"
  set "review_state" = $1, "review_comment" = $2, "reviewed_by" = $3, "reviewed_at" = now(), "checks" = $4, "brand_version" = $5
  where "workspace_id" = $6
  and "content_id" = $7
  and "version" = $8;
update "content_version"
  set "review_state" = $1, "review_comment" = $2, "reviewed_by" = $3, "reviewed_at" = now()
  where "workspace_id" = $4
  and "content_id" = $5
  and "version" = $6;

-- db/deployments/apps.ts clearRefusedPush
update "deployment_app"
  set "refused_push" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "refused_push" is not null;

-- db/deployments/apps.ts findApp
select "a"."workspace_id", "a"."id", "a"."name", "a"."source", "a"."target", "a"."cloud_account_id", "a"."image", "a"."builder", "a"."auto_deploy", "a"."auto_deploy_principal", "a"."refused_push", "a"."revision", "a"."created_by", "a"."created_at", "a"."updated_at", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $1
  and b.app_id = a.id
  order by "b"."number" desc
  limit 1) as obj) as "latest_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $2
  and b.app_id = a.id
  and "b"."status" in ($3)
  order by "b"."number" desc
  limit 1) as obj) as "live_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $4
  and b.app_id = a.id
  and "b"."status" in ($5, $6, $7)
  order by "b"."number" desc
  limit 1) as obj) as "last_outcome", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $8
  and b.app_id = a.id
  and b.status = any($9)) as "queue_length", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $10
  and b.app_id = a.id
  and b.status = any($11)) as "live_builds"
  from "deployment_app" as "a"
  where "a"."workspace_id" = $12
  and "a"."deleted_at" is null
  and "a"."id" = $13;

-- db/deployments/apps.ts findAppResource
select "a"."cloud_account_id", "c"."environment"
  from "deployment_app" as "a"
  inner join "cloud_account" as "c" on "c"."workspace_id" = "a"."workspace_id"
  and "c"."id" = "a"."cloud_account_id"
  where "a"."workspace_id" = $1
  and "a"."id" = $2;

-- db/deployments/apps.ts findDeletedApp
select "id", "created_by"
  from "deployment_app"
  where "workspace_id" = $1
  and "id" = $2
  and deleted_at > now() - interval '30 days';

-- db/deployments/apps.ts insertApp
insert into "deployment_app" ("cloud_account_id", "image", "name", "workspace_id", "id", "source", "target", "builder", "auto_deploy", "auto_deploy_by", "auto_deploy_principal", "refused_push", "created_by")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  returning "id";

-- db/deployments/apps.ts listApps
select "a"."workspace_id", "a"."id", "a"."name", "a"."source", "a"."target", "a"."cloud_account_id", "a"."image", "a"."builder", "a"."auto_deploy", "a"."auto_deploy_principal", "a"."refused_push", "a"."revision", "a"."created_by", "a"."created_at", "a"."updated_at", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $1
  and b.app_id = a.id
  order by "b"."number" desc
  limit 1) as obj) as "latest_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $2
  and b.app_id = a.id
  and "b"."status" in ($3)
  order by "b"."number" desc
  limit 1) as obj) as "live_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $4
  and b.app_id = a.id
  and "b"."status" in ($5, $6, $7)
  order by "b"."number" desc
  limit 1) as obj) as "last_outcome", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $8
  and b.app_id = a.id
  and b.status = any($9)) as "queue_length", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $10
  and b.app_id = a.id
  and b.status = any($11)) as "live_builds"
  from "deployment_app" as "a"
  where "a"."workspace_id" = $12
  and "a"."deleted_at" is null
  and exists (select
  from cloud_account c
  where c.workspace_id = $13
  and c.id = a.cloud_account_id
  and (c.id = any($14::uuid[])
  or c.environment = any($15::text[])))
  and "a"."id" < $16
  order by "a"."id" desc
  limit 1;
select "a"."workspace_id", "a"."id", "a"."name", "a"."source", "a"."target", "a"."cloud_account_id", "a"."image", "a"."builder", "a"."auto_deploy", "a"."auto_deploy_principal", "a"."refused_push", "a"."revision", "a"."created_by", "a"."created_at", "a"."updated_at", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $1
  and b.app_id = a.id
  order by "b"."number" desc
  limit 1) as obj) as "latest_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $2
  and b.app_id = a.id
  and "b"."status" in ($3)
  order by "b"."number" desc
  limit 1) as obj) as "live_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $4
  and b.app_id = a.id
  and "b"."status" in ($5, $6, $7)
  order by "b"."number" desc
  limit 1) as obj) as "last_outcome", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $8
  and b.app_id = a.id
  and b.status = any($9)) as "queue_length", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $10
  and b.app_id = a.id
  and b.status = any($11)) as "live_builds"
  from "deployment_app" as "a"
  where "a"."workspace_id" = $12
  and "a"."deleted_at" is null
  and "a"."id" < $13
  order by "a"."id" desc
  limit 1;
select "a"."workspace_id", "a"."id", "a"."name", "a"."source", "a"."target", "a"."cloud_account_id", "a"."image", "a"."builder", "a"."auto_deploy", "a"."auto_deploy_principal", "a"."refused_push", "a"."revision", "a"."created_by", "a"."created_at", "a"."updated_at", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $1
  and b.app_id = a.id
  order by "b"."number" desc
  limit 1) as obj) as "latest_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $2
  and b.app_id = a.id
  and "b"."status" in ($3)
  order by "b"."number" desc
  limit 1) as obj) as "live_build", (select to_json(obj)
  from (select "b"."id", "b"."number", "b"."status", "b"."commit", "b"."finished_at"
  from "deployment_build" as "b"
  where b.workspace_id = $4
  and b.app_id = a.id
  and "b"."status" in ($5, $6, $7)
  order by "b"."number" desc
  limit 1) as obj) as "last_outcome", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $8
  and b.app_id = a.id
  and b.status = any($9)) as "queue_length", ( select count(*)::integer
  from deployment_build b
  where b.workspace_id = $10
  and b.app_id = a.id
  and b.status = any($11)) as "live_builds"
  from "deployment_app" as "a"
  where "a"."workspace_id" = $12
  and "a"."deleted_at" is null
  order by "a"."id" desc
  limit 1;

-- db/deployments/apps.ts listAutoDeployed
select "a"."id", "a"."auto_deploy", "a"."auto_deploy_principal", "a"."source", "a"."cloud_account_id", "c"."environment"
  from "deployment_app" as "a"
  inner join "cloud_account" as "c" on "c"."workspace_id" = "a"."workspace_id"
  and "c"."id" = "a"."cloud_account_id"
  where "a"."workspace_id" = $1
  and "a"."deleted_at" is null
  and lower(a.source->>'repo') = any($2::text[])
  and a.auto_deploy->>'enabled' = 'true';

-- db/deployments/apps.ts lockApp
select "workspace_id", "id", "name", "source", "target", "cloud_account_id", "image", "builder", "auto_deploy", "auto_deploy_principal", "refused_push", "revision", "created_by", "created_at", "updated_at"
  from "deployment_app"
  where "workspace_id" = $1
  and "id" = $2
  and "deleted_at" is null
  for update;

-- db/deployments/apps.ts purgeApps
select "workspace_id", "id"
  from "deployment_app"
  where deleted_at <= now() - interval '30 days'
  limit 1;
with apps as (select id
  from deployment_app
  where workspace_id = $1
  and id = any($2::uuid[])
  and not deleted_at > now() - interval '30 days'), events as (delete from stream_event e using deployment_build b, apps
  where b.workspace_id = $3
  and b.app_id = apps.id
  and e.workspace_id = $4
  and e.stream_id = b.id), gone as (delete from deployment_app a using apps
  where a.workspace_id = $5
  and a.id = apps.id
  returning a.id) select id
  from gone;
select "workspace_id", "id"
  from "deployment_app"
  where ((deleted_at <= now() - interval '30 days')
  and "workspace_id" = any($1::uuid[]))
  limit 1;

-- db/deployments/apps.ts purgeAppsOf
with apps as (select id
  from deployment_app
  where workspace_id = $1
  and cloud_account_id = $2
  and deleted_at is not null), events as (delete from stream_event e using deployment_build b, apps
  where b.workspace_id = $3
  and b.app_id = apps.id
  and e.workspace_id = $4
  and e.stream_id = b.id), gone as (delete from deployment_app a using apps
  where a.workspace_id = $5
  and a.id = apps.id
  returning a.id) select id
  from gone;

-- db/deployments/apps.ts purgeOldApps
with apps as (select id
  from deployment_app
  where workspace_id = $1
  and deleted_at < now() - make_interval(days => $2)
  and id in (select id
  from deployment_app
  where workspace_id = $3
  and deleted_at < now() - make_interval(days => $4)
  limit $5)), events as (delete from stream_event e using deployment_build b, apps
  where b.workspace_id = $6
  and b.app_id = apps.id
  and e.workspace_id = $7
  and e.stream_id = b.id), gone as (delete from deployment_app a using apps
  where a.workspace_id = $8
  and a.id = apps.id
  returning a.id) select id
  from gone;

-- db/deployments/apps.ts recordRefusedPush
update "deployment_app"
  set "refused_push" = json_build_object( 'commit', $1::text, 'code', $2::text, 'detail', $3::text, 'at', now())
  where "workspace_id" = $4
  and "id" = $5;

-- db/deployments/apps.ts setAppDeleted
update "deployment_app"
  set "deleted_at" = now(), "revision" = "revision" + 1
  where "workspace_id" = $1
  and "id" = $2;

-- db/deployments/apps.ts undeleteApp
update "deployment_app"
  set "deleted_at" = $1, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3
  and deleted_at > now() - interval '30 days';

-- db/deployments/apps.ts updateApp
update "deployment_app"
  set "cloud_account_id" = $1, "image" = $2, "name" = $3, "source" = $4, "target" = $5, "builder" = $6, "auto_deploy" = $7, "auto_deploy_by" = $8, "auto_deploy_principal" = $9, "refused_push" = $10, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $11
  and "id" = $12
  and "deleted_at" is null
  and "revision" = any($13);
update "deployment_app"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  and "deleted_at" is null;

-- db/deployments/builds.ts countLive
select count(*)::integer as "count"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  and "status" in ($3);
select count(*)::integer as "count"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  and "status" in ();

-- db/deployments/builds.ts findBuild
select "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  and "id" = $3
  and exists (select "a"."id"
  from "deployment_app" as "a"
  where "a"."workspace_id" = $4
  and "a"."id" = $5
  and "a"."deleted_at" is null);

-- db/deployments/builds.ts findDuplicate
select "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  and "status" in ($3, $4)
  and commit is not distinct
  from $5::text
  and ($6::text is not null
  or ref = $7)
  and requested_image is not distinct
  from $8::text
  order by "number" desc
  limit 1;

-- db/deployments/builds.ts findQueuedPush
select "id", "number", "commit"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  and "status" = $3
  and "trigger" = $4
  order by "number" desc
  limit 1;

-- db/deployments/builds.ts insertBuild
update "deployment_app"
  set "next_number" = "next_number" + 1
  where "workspace_id" = $1
  and "id" = $2
  returning next_number - 1 as "number";
insert into "deployment_build" ("actor", "app_id", "builder", "commit", "commit_message", "expected", "principal", "ref", "repo", "requested_image", "rollback_of", "steps", "target", "template", "trigger", "workspace_id", "id", "number", "status")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";

-- db/deployments/builds.ts listBuilds
select "number", ('{"id":' || '"' || "id" || '"' || ',"app_id":' || '"' || "app_id" || '"' || ',"number":' || "number" || ',"status":' || '"' || "status" || '"' || ',"status_reason":' || coalesce(to_json("status_reason")::text, 'null') || ',"trigger":' || '"' || "trigger" || '"' || ',"ref":' || coalesce(to_json("ref")::text, 'null') || ',"commit":' || coalesce(to_json("commit")::text, 'null') || ',"commit_message":' || coalesce(to_json("commit_message")::text, 'null') || ',"actor":' || coalesce(to_json("actor")::text, 'null') || ',"image":' || coalesce(to_json("image")::text, 'null') || ',"image_digest":' || coalesce(to_json("image_digest")::text, 'null') || ',"builder":' || coalesce(to_json(builder->>'kind')::text, 'null') || ',"run":' || case when run is null then 'null' else json_build_object('id', run->'id', 'url', run->'url')::text end || ',"deployment_id":' || coalesce(to_json("deployment_id")::text, 'null') || ',"rollback_of":' || coalesce(to_json("rollback_of")::text, 'null') || ',"published":' || case when status = 'succeeded'
  and target->>'kind' = 'lambda'
  and verified->>'version' is not null then json_build_object('function_id', target->'function_id', 'version', verified->'version')::text else 'null' end || ',"superseded_by":' || coalesce(to_json("superseded_by")::text, 'null') || ',"steps":' || coalesce(to_json("steps")::text, 'null') || ',"created_at":' || coalesce('"' || to_char("created_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"started_at":' || coalesce('"' || to_char("started_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"finished_at":' || coalesce('"' || to_char("finished_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"duration_ms":' || coalesce((floor(extract(epoch
  from "finished_at") * 1000)::bigint - floor(extract(epoch
  from "started_at") * 1000)::bigint)::text, 'null') || ',"log":' || ('{"lines":' || "log_lines" || ',"bytes":' || "log_bytes" || ',"truncated":' || coalesce(to_json("log_truncated")::text, 'null') || '}') || '}') as "item"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  and "status" = $3
  and "number" < $4
  order by "number" desc
  limit 1;
select "number", ('{"id":' || '"' || "id" || '"' || ',"app_id":' || '"' || "app_id" || '"' || ',"number":' || "number" || ',"status":' || '"' || "status" || '"' || ',"status_reason":' || coalesce(to_json("status_reason")::text, 'null') || ',"trigger":' || '"' || "trigger" || '"' || ',"ref":' || coalesce(to_json("ref")::text, 'null') || ',"commit":' || coalesce(to_json("commit")::text, 'null') || ',"commit_message":' || coalesce(to_json("commit_message")::text, 'null') || ',"actor":' || coalesce(to_json("actor")::text, 'null') || ',"image":' || coalesce(to_json("image")::text, 'null') || ',"image_digest":' || coalesce(to_json("image_digest")::text, 'null') || ',"builder":' || coalesce(to_json(builder->>'kind')::text, 'null') || ',"run":' || case when run is null then 'null' else json_build_object('id', run->'id', 'url', run->'url')::text end || ',"deployment_id":' || coalesce(to_json("deployment_id")::text, 'null') || ',"rollback_of":' || coalesce(to_json("rollback_of")::text, 'null') || ',"published":' || case when status = 'succeeded'
  and target->>'kind' = 'lambda'
  and verified->>'version' is not null then json_build_object('function_id', target->'function_id', 'version', verified->'version')::text else 'null' end || ',"superseded_by":' || coalesce(to_json("superseded_by")::text, 'null') || ',"steps":' || coalesce(to_json("steps")::text, 'null') || ',"created_at":' || coalesce('"' || to_char("created_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"started_at":' || coalesce('"' || to_char("started_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"finished_at":' || coalesce('"' || to_char("finished_at" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"duration_ms":' || coalesce((floor(extract(epoch
  from "finished_at") * 1000)::bigint - floor(extract(epoch
  from "started_at") * 1000)::bigint)::text, 'null') || ',"log":' || ('{"lines":' || "log_lines" || ',"bytes":' || "log_bytes" || ',"truncated":' || coalesce(to_json("log_truncated")::text, 'null') || '}') || '}') as "item"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  order by "number" desc
  limit 1;

-- db/deployments/builds.ts lockBuild
select "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at"
  from "deployment_build"
  where "workspace_id" = $1
  and "id" = $2
  for update;

-- db/deployments/builds.ts lockQueuedPushes
select "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at"
  from "deployment_build"
  where "workspace_id" = $1
  and "app_id" = $2
  and "status" = $3
  and "trigger" = $4
  for update;

-- db/deployments/builds.ts pruneBuilds
with kept as ( (select id
  from deployment_build
  where workspace_id = $1
  and app_id = $2
  order by number desc
  limit $3)
  union (select id
  from deployment_build
  where workspace_id = $4
  and app_id = $5
  and status = 'succeeded'
  order by number desc
  limit $6)), gone as ( delete from deployment_build
  where workspace_id = $7
  and app_id = $8
  and finished_at is not null
  and id not in (select id
  from kept)
  returning id) delete from stream_event
  where workspace_id = $9
  and stream_id in (select id
  from gone);

-- db/deployments/leases.ts buildLeases.claim
begin;
update "deployment_build"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = case when status = 'queued' then 'running' else status end, started_at = least(started_at, statement_timestamp())
  where workspace_id = $3
  and id = ( select id
  from deployment_build
  where workspace_id = $4
  and app_id = $5
  and ("status" in ('running', 'cancelling')
  and ( ($6::boolean
  and lease_owner is null)
  or ($7::boolean
  and lease_until < statement_timestamp()
  and not id = any($8::uuid[]))))
  order by number
  limit 1
  for update skip locked)
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
update "deployment_build"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = case when status = 'queued' then 'running' else status end, started_at = least(started_at, statement_timestamp())
  where workspace_id = $3
  and id = ( select id
  from deployment_build
  where workspace_id = $4
  and app_id = $5
  and $6::boolean
  and status = 'queued'
  and not exists ( select
  from deployment_build
  where workspace_id = $7
  and app_id = $8
  and status in ('running', 'cancelling'))
  order by number
  limit 1
  for update)
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
commit;

-- db/deployments/leases.ts buildLeases.findClaimable
select coalesce((select json_agg(due)
  from ( (select workspace_id, app_id
  from deployment_build
  where ("status" in ('running', 'cancelling')
  and ( ($1::boolean
  and lease_owner is null)
  or ($2::boolean
  and lease_until < statement_timestamp()
  and not id = any($3::uuid[]))))
  limit $4)
  union (select workspace_id, app_id
  from ( select workspace_id, app_id, min(created_at) as since, row_number() over (partition by workspace_id
  order by min(created_at)) as turn
  from deployment_build q
  where $5::boolean
  and status = 'queued'
  and not exists (select
  from deployment_build a
  where a.workspace_id = q.workspace_id
  and a.app_id = q.app_id
  and a.status in ('running', 'cancelling'))
  group by workspace_id, app_id) as waiting
  order by turn, since
  limit $6)) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "deployment_build"
  where "status" in ('running', 'cancelling')
  and lease_until >= now()
  and not id = any($7::uuid[])) as lapses_in_ms;
select coalesce((select json_agg(due)
  from ( (select workspace_id, app_id
  from deployment_build
  where ((("status" in ('running', 'cancelling')
  and ( ($1::boolean
  and lease_owner is null)
  or ($2::boolean
  and lease_until < statement_timestamp()
  and not id = any($3::uuid[])))))
  and "workspace_id" = any($4::uuid[]))
  limit $5)
  union (select workspace_id, app_id
  from ( select workspace_id, app_id, min(created_at) as since, row_number() over (partition by workspace_id
  order by min(created_at)) as turn
  from deployment_build q
  where (($6::boolean
  and status = 'queued'
  and not exists (select
  from deployment_build a
  where ((a.workspace_id = q.workspace_id
  and a.app_id = q.app_id
  and a.status in ('running', 'cancelling'))
  and "a"."workspace_id" = any($7::uuid[]))))
  and "q"."workspace_id" = any($8::uuid[]))
  group by workspace_id, app_id) as waiting
  order by turn, since
  limit $9)) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "deployment_build"
  where (("status" in ('running', 'cancelling')
  and lease_until >= now()
  and not id = any($10::uuid[]))
  and "workspace_id" = any($11::uuid[]))) as lapses_in_ms;

-- db/deployments/leases.ts buildLeases.listHeld
select "id", "lease_epoch", "status", "cancel_principal"
  from "deployment_build"
  where "workspace_id" = $1
  and "id" = any($2)
  and "lease_owner" = $3
  and "status" in ($4, $5);

-- db/deployments/leases.ts buildLeases.releaseLease
update "deployment_build"
  set lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1, attempts = 0
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('running', 'cancelling');

-- db/deployments/leases.ts buildLeases.renew
update "deployment_build"
  set lease_until = statement_timestamp() + make_interval(secs => $1)
  where workspace_id = $2
  and id = any($3::uuid[])
  and lease_owner = $4
  and "status" in ('running', 'cancelling')
  returning id, lease_epoch;

-- db/deployments/leases.ts claimBuild
begin;
update "deployment_build"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = case when status = 'queued' then 'running' else status end, started_at = least(started_at, statement_timestamp())
  where workspace_id = $3
  and id = ( select id
  from deployment_build
  where workspace_id = $4
  and app_id = $5
  and ("status" in ('running', 'cancelling')
  and ( ($6::boolean
  and lease_owner is null)
  or ($7::boolean
  and lease_until < statement_timestamp()
  and not id = any($8::uuid[]))))
  order by number
  limit 1
  for update skip locked)
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
update "deployment_build"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end , status = case when status = 'queued' then 'running' else status end, started_at = least(started_at, statement_timestamp())
  where workspace_id = $3
  and id = ( select id
  from deployment_build
  where workspace_id = $4
  and app_id = $5
  and $6::boolean
  and status = 'queued'
  and not exists ( select
  from deployment_build
  where workspace_id = $7
  and app_id = $8
  and status in ('running', 'cancelling'))
  order by number
  limit 1
  for update)
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
commit;

-- db/deployments/progress.ts listFailedBuilds
select "b"."id", "b"."app_id", "b"."number", "b"."status", "b"."status_reason", "a"."name", b.principal ->> 'user_id' as "user_id", b.finished_at as "finished_at"
  from "deployment_build" as "b"
  inner join "deployment_app" as "a" on "a"."workspace_id" = "b"."workspace_id"
  and "a"."id" = "b"."app_id"
  where "b"."workspace_id" = $1
  and b.principal ->> 'user_id' = any($2)
  and "b"."status" in ($3, $4)
  and "b"."finished_at" >= $5
  order by "b"."finished_at"
  limit $6;

-- db/deployments/progress.ts listLines
select "position", "event", "data"
  from "stream_event"
  where "workspace_id" = $1
  and "stream_id" = $2
  and "position" > $3
  and "event" = $4
  order by "position"
  limit 1;

-- db/deployments/progress.ts writeIn
update "deployment_build"
  set "commit" = $1, "commit_message" = $2, "deploy_attempt" = $3, "deployment_id" = $4, "image" = $5, "image_digest" = $6, "log_truncated" = $7, "status" = $8, "status_reason" = $9, "superseded_by" = $10, "run" = $11, "verified" = $12, "steps" = $13, "cancel_principal" = $14, "log_seq" = "log_seq" + $15::bigint, "log_lines" = log_lines + $16::integer, "log_bytes" = "log_bytes" + $17::bigint
  where workspace_id = $18
  and id = $19
  and lease_epoch = $20
  and "status" in ('queued', 'running', 'cancelling')
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
update "deployment_build"
  set "commit" = $1, "commit_message" = $2, "deploy_attempt" = $3, "deployment_id" = $4, "image" = $5, "image_digest" = $6, "log_truncated" = $7, "status" = $8, "status_reason" = $9, "superseded_by" = $10, "run" = $11, "verified" = $12, "steps" = $13, "cancel_principal" = $14, "log_seq" = "log_seq" + $15::bigint, "log_lines" = log_lines + $16::integer, "log_bytes" = "log_bytes" + $17::bigint, "finished_at" = statement_timestamp(), "lease_owner" = $18, "lease_until" = $19, "lease_epoch" = lease_epoch + 1
  where workspace_id = $20
  and id = $21
  and lease_epoch = $22
  and "status" in ('queued', 'running', 'cancelling')
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
update "deployment_build"
  set "commit" = $1, "commit_message" = $2, "deploy_attempt" = $3, "deployment_id" = $4, "image" = $5, "image_digest" = $6, "log_truncated" = $7, "status" = $8, "status_reason" = $9, "superseded_by" = $10, "run" = $11, "verified" = $12, "steps" = $13, "cancel_principal" = $14, "log_seq" = "log_seq" + $15::bigint, "log_lines" = log_lines + $16::integer, "log_bytes" = "log_bytes" + $17::bigint, "lease_epoch" = "lease_epoch" + 1
  where workspace_id = $18
  and id = $19
  and lease_epoch = $20
  and "status" in ('queued', 'running', 'cancelling')
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
update "deployment_build"
  set "log_seq" = "log_seq" + $1::bigint, "log_lines" = log_lines + $2::integer, "log_bytes" = "log_bytes" + $3::bigint
  where workspace_id = $4
  and id = $5
  and lease_epoch = $6
  and "status" in ('queued', 'running', 'cancelling')
  returning "workspace_id", "id", "app_id", "number", "status", "status_reason", "trigger", "ref", "commit", "commit_message", "requested_image", "image", "image_digest", "target", "template", "builder", "run", "repo", "actor", "principal", "cancel_principal", "deployment_id", "deploy_attempt", "rollback_of", "superseded_by", "expected", "verified", "steps", "log_seq", "log_lines", "log_bytes", "log_truncated", "attempts", "lease_owner", "lease_epoch", "created_at", "started_at", "finished_at";
insert into stream_event (workspace_id, stream_id, position, event, data) select $1::uuid, e.*
  from unnest($2::uuid[], $3::bigint[], $4::text[], $5::json[]) as e
  on conflict do nothing;
select statement_timestamp() as "now";

-- db/durable/events.ts appendEvents
insert into stream_event (workspace_id, stream_id, position, event, data) select $1::uuid, e.*
  from unnest($2::uuid[], $3::bigint[], $4::text[], $5::json[]) as e
  on conflict do nothing;

-- db/durable/leases.ts announceWork
select pg_notify($1, $2) as "notified";

-- db/encrypted-columns.ts forgetEncrypted
update "account_identity_provider"
  set "secret" = $1, "enabled" = $2
  where "workspace_id" = $3
  and "id" = $4;
update "account_identity_session"
  set "tokens" = $1
  where "workspace_id" = $2
  and "id" = $3;
delete from "account_oauth_client"
  where "workspace_id" = $1
  and "id" = $2;
update "agent_trigger"
  set "secret" = $1, "enabled" = $2, "off_reason" = $3
  where "workspace_id" = $4
  and "id" = $5;
update "audit_destination"
  set "secret" = $1, "enabled" = $2, "off_reason" = $3
  where "workspace_id" = $4
  and "id" = $5;
update "audit_key"
  set "retired_at" = now(), "secret" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "retired_at" is null;
update "channel"
  set "secret" = $1, "enabled" = $2, "off_reason" = $3
  where "workspace_id" = $4
  and "id" = $5;
update "channel_push_key"
  set "retired_at" = now(), "secret" = $1
  where "workspace_id" = $2
  and "id" = $3;
update "cloud_account"
  set "secret" = $1, "status" = $2
  where "workspace_id" = $3
  and "id" = $4;
update "codehost_identity"
  set "state" = $1, "access_token" = $2, "refresh_token" = $3, "generation" = "generation" + 1
  where "workspace_id" = $4
  and "id" = $5;
update "content_target"
  set "previous_secret" = $1
  where "workspace_id" = $2
  and "id" = $3;
update "tool_server"
  set "headers" = $1, "header_names" = $2, "enabled" = $3
  where "workspace_id" = $4
  and "id" = $5;
update "workspace"
  set "model_api_key" = $1
  where "id" = $2;

-- db/encrypted-columns.ts listEncryptedCells
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "account_identity_provider"
  where "secret" is not null;
select "workspace_id" as workspace_id, id, "tokens" as encrypted
  from "account_identity_session"
  where "tokens" is not null;
select "workspace_id" as workspace_id, id, "access_token" as encrypted
  from "codehost_identity"
  where "access_token" is not null;
select "workspace_id" as workspace_id, id, "refresh_token" as encrypted
  from "codehost_identity"
  where "refresh_token" is not null;
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "cloud_account"
  where "secret" is not null;
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "content_target"
  where "secret" is not null;
select "workspace_id" as workspace_id, id, "previous_secret" as encrypted
  from "content_target"
  where "previous_secret" is not null;
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "agent_trigger"
  where "secret" is not null;
select "id" as workspace_id, id, "model_api_key" as encrypted
  from "workspace"
  where "model_api_key" is not null;
select "id" as workspace_id, id, "model_connection" as encrypted
  from "workspace"
  where "model_connection" is not null;
select "workspace_id" as workspace_id, id, "headers" as encrypted
  from "tool_server"
  where "headers" is not null;
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "audit_destination"
  where "secret" is not null;
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "audit_key"
  where "secret" is not null;
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "channel"
  where "secret" is not null;
select "workspace_id" as workspace_id, id, "secret" as encrypted
  from "channel_push_key"
  where "secret" is not null;
select "workspace_id" as workspace_id, id, "metadata" as encrypted
  from "account_oauth_client"
  where "metadata" is not null;

-- db/encrypted-columns.ts replaceEncrypted
update "account_identity_provider"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "account_identity_provider"
  set "headers" = $1
  where "workspace_id" = $2
  and id = $3
  and "headers" = $4;
update "account_identity_provider"
  set "metadata" = $1
  where "workspace_id" = $2
  and id = $3
  and "metadata" = $4;
update "account_identity_provider"
  set "model_api_key" = $1
  where "workspace_id" = $2
  and id = $3
  and "model_api_key" = $4;
update "account_identity_provider"
  set "model_connection" = $1
  where "workspace_id" = $2
  and id = $3
  and "model_connection" = $4;
update "account_identity_provider"
  set "previous_secret" = $1
  where "workspace_id" = $2
  and id = $3
  and "previous_secret" = $4;
update "account_identity_provider"
  set "refresh_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "refresh_token" = $4;
update "account_identity_provider"
  set "secret" = $1
  where "workspace_id" = $2
  and id = $3
  and "secret" = $4;
update "account_identity_provider"
  set "tokens" = $1
  where "workspace_id" = $2
  and id = $3
  and "tokens" = $4;
update "account_identity_session"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "account_oauth_client"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "agent_trigger"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "audit_destination"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "audit_key"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "channel"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "channel_push_key"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "cloud_account"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "codehost_identity"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "content_target"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "tool_server"
  set "access_token" = $1
  where "workspace_id" = $2
  and id = $3
  and "access_token" = $4;
update "workspace"
  set "access_token" = $1
  where "id" = $2
  and id = $3
  and "access_token" = $4;
update "workspace"
  set "tokens" = $1
  where "id" = $2
  and id = $3
  and "tokens" = $4;

-- db/idempotency.ts claimKey
insert into "idempotency_key" ("claim", "key", "operation", "principal", "workspace_id", "body_hash")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("workspace_id", "principal", "operation", "key") do nothing
  returning "key";
select "body_hash", "status", "headers", "body", "sent_at"
  from "idempotency_key"
  where "workspace_id" = $1
  and "principal" = $2
  and "operation" = $3
  and "key" = $4;

-- db/idempotency.ts compileSent
update "idempotency_key"
  set "sent_at" = now()
  where "workspace_id" = $1
  and "principal" = $2
  and "operation" = $3
  and "key" = $4
  and "claim" = $5
  returning "key";

-- db/idempotency.ts deleteOldKeys
delete from "idempotency_key"
  where created_at < now() - interval '24 hours';
delete from "idempotency_key"
  where ((created_at < now() - interval '24 hours')
  and "workspace_id" = any($1::uuid[]));

-- db/idempotency.ts findKey
select "body_hash", "status", "headers", "body", "sent_at"
  from "idempotency_key"
  where "workspace_id" = $1
  and "principal" = $2
  and "operation" = $3
  and "key" = $4;

-- db/idempotency.ts releaseKey
delete from "idempotency_key"
  where "workspace_id" = $1
  and "principal" = $2
  and "operation" = $3
  and "key" = $4
  and "claim" = $5;
delete from "idempotency_key"
  where "workspace_id" = $1
  and "principal" = $2
  and "operation" = $3
  and "key" = $4;

-- db/idempotency.ts releaseUnsent
delete from "idempotency_key"
  where "workspace_id" = $1
  and "principal" = $2
  and "operation" = $3
  and "key" = $4
  and "status" is null
  and "sent_at" is null
  and "claim" is not null
  returning "key";

-- db/idempotency.ts storeAnswer
update "idempotency_key"
  set "status" = $1, "headers" = $2, "body" = $3, "finished_at" = now()
  where "workspace_id" = $4
  and "principal" = $5
  and "operation" = $6
  and "key" = $7
  and "claim" = $8;

-- db/infrastructure/service-deployments.ts cancelUnsent
update "service_deployment"
  set "status" = $1, "status_reason" = $2, "cancel_requested_at" = now(), "cancel_actor" = $3, "finished_at" = now(), "lease_epoch" = "lease_epoch" + 1
  where "workspace_id" = $4
  and "id" = $5
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";

-- db/infrastructure/service-deployments.ts changeDeployment
update "service_deployment"
  set "aws_deployment_id" = $1, "aws_service_deployment_arn" = $2, "status" = $3, "status_reason" = $4, "target_task_definition" = $5, "verdict" = $6, "progress" = $7, "failures" = $8
  where workspace_id = $9
  and id = $10
  and lease_epoch = $11
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";
update "service_deployment"
  set
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";

-- db/infrastructure/service-deployments.ts clearCancel
update "service_deployment"
  set "cancel_requested_at" = $1, "cancel_actor" = $2, "cancel_for" = $3, "cancel_expected" = $4
  where "workspace_id" = $5
  and "id" = $6;

-- db/infrastructure/service-deployments.ts dueDeployments.claim
with due as (select id, "status" as was , deadline_at < now() as late
  from "service_deployment"
  where workspace_id = $1
  and id = $2
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  and (lease_until is null
  or lease_until < now())
  for update) update "service_deployment"
  set lease_epoch = "lease_epoch" + 1, lease_until = to_timestamp(extract(epoch
  from statement_timestamp())::float8 + case when status in ('in_progress', 'rolling_back') then 15 else 60 end), looked_at = now(), looks = "looks" + 1, started_at = least("started_at", now())
  from due
  where "service_deployment"."workspace_id" = $3
  and "service_deployment"."id" = due.id
  returning "service_deployment"."workspace_id", "service_deployment"."id", "service_deployment"."account_id", "service_deployment"."region", "service_deployment"."cluster", "service_deployment"."service", "service_deployment"."kind", "service_deployment"."status", "service_deployment"."status_reason", "service_deployment"."expected", "service_deployment"."previous_task_definition", "service_deployment"."target_task_definition", "service_deployment"."plan", "service_deployment"."changes", "service_deployment"."aws_deployment_id", "service_deployment"."aws_service_deployment_arn", "service_deployment"."progress", "service_deployment"."failures", "service_deployment"."verdict", "service_deployment"."looks", "service_deployment"."actor", "service_deployment"."user_id", "service_deployment"."acting_for", "service_deployment"."comment", "service_deployment"."cancel_requested_at", "service_deployment"."cancel_actor", "service_deployment"."cancel_for", "service_deployment"."cancel_expected", "service_deployment"."lease_epoch", "service_deployment"."created_at", "service_deployment"."started_at", "service_deployment"."finished_at", "service_deployment"."deadline_at", due.*;

-- db/infrastructure/service-deployments.ts dueDeployments.listLate
select workspace_id, id
  from ( select workspace_id, id, "looked_at" as since, row_number() over (partition by workspace_id
  order by "looked_at") as turn
  from "service_deployment"
  where "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  and (looked_at < now() - interval '45 seconds'
  or lease_until < now())) as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "looked_at" as since, row_number() over (partition by workspace_id
  order by "looked_at") as turn
  from "service_deployment"
  where (("status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  and (looked_at < now() - interval '45 seconds'
  or lease_until < now()))
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/infrastructure/service-deployments.ts extendDeadline
update "service_deployment"
  set "deadline_at" = now() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "id" = $3;

-- db/infrastructure/service-deployments.ts findDeployment
select "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "id" = $2;

-- db/infrastructure/service-deployments.ts findLiveDeployment
select "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "account_id" = $2
  and "region" = $3
  and "cluster" = $4
  and "service" = $5
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back');

-- db/infrastructure/service-deployments.ts findServiceDeployment
select "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "account_id" = $2
  and "region" = $3
  and "cluster" = $4
  and "service" = $5
  and "id" = $6;

-- db/infrastructure/service-deployments.ts hasLiveDeployment
select "id"
  from "service_deployment"
  where "workspace_id" = $1
  and "account_id" = $2
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back');

-- db/infrastructure/service-deployments.ts insertDeployment
insert into "service_deployment" ("account_id", "acting_for", "actor", "changes", "cluster", "comment", "expected", "id", "kind", "plan", "previous_task_definition", "region", "service", "target_task_definition", "user_id", "workspace_id", "status", "failures", "deadline_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, now() + make_interval(secs => $19))
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";

-- db/infrastructure/service-deployments.ts listDeployments
select "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "account_id" = $2
  and "region" = $3
  and "cluster" = $4
  and "service" = $5
  and "id" < $6
  order by "id" desc
  limit 1;
select "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "account_id" = $2
  and "region" = $3
  and "cluster" = $4
  and "service" = $5
  order by "id" desc
  limit 1;

-- db/infrastructure/service-deployments.ts listFailedDeployments
select "id", "user_id", "account_id", "region", "cluster", "service", "status", "status_reason", finished_at as "finished_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "user_id" = any($2)
  and "status" in ($3, $4, $5)
  and "finished_at" >= $6
  order by "finished_at"
  limit $7;

-- db/infrastructure/service-deployments.ts listSucceeded
select "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "account_id" = $2
  and "region" = $3
  and "cluster" = $4
  and "service" = $5
  and "status" = $6
  and "target_task_definition" is not null
  order by "finished_at" desc, "id" desc
  limit 1;

-- db/infrastructure/service-deployments.ts lockDeployment
select "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at"
  from "service_deployment"
  where "workspace_id" = $1
  and "account_id" = $2
  and "region" = $3
  and "cluster" = $4
  and "service" = $5
  and "id" = $6
  for update;

-- db/infrastructure/service-deployments.ts releaseDeployment
update "service_deployment"
  set "aws_deployment_id" = $1, "aws_service_deployment_arn" = $2, "status" = $3, "status_reason" = $4, "target_task_definition" = $5, "verdict" = $6, "progress" = $7, "failures" = $8, "lease_until" = $9
  where workspace_id = $10
  and id = $11
  and lease_epoch = $12
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";
update "service_deployment"
  set "aws_deployment_id" = $1, "aws_service_deployment_arn" = $2, "status" = $3, "status_reason" = $4, "target_task_definition" = $5, "verdict" = $6, "progress" = $7, "failures" = $8, "lease_until" = $9, "finished_at" = now()
  where workspace_id = $10
  and id = $11
  and lease_epoch = $12
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";
update "service_deployment"
  set "lease_until" = $1, "finished_at" = now()
  where workspace_id = $2
  and id = $3
  and lease_epoch = $4
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back')
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";

-- db/infrastructure/service-deployments.ts requestCancel
update "service_deployment"
  set "cancel_requested_at" = now(), "cancel_actor" = $1, "cancel_for" = $2, "cancel_expected" = $3
  where "workspace_id" = $4
  and "id" = $5
  returning "workspace_id", "id", "account_id", "region", "cluster", "service", "kind", "status", "status_reason", "expected", "previous_task_definition", "target_task_definition", "plan", "changes", "aws_deployment_id", "aws_service_deployment_arn", "progress", "failures", "verdict", "looks", "actor", "user_id", "acting_for", "comment", "cancel_requested_at", "cancel_actor", "cancel_for", "cancel_expected", "lease_epoch", "created_at", "started_at", "finished_at", "deadline_at";

-- db/infrastructure/service-deployments.ts supersedeLive
update "service_deployment"
  set "status" = $1, "status_reason" = $2, "finished_at" = now(), "lease_epoch" = "lease_epoch" + 1
  where "workspace_id" = $3
  and "account_id" = $4
  and "region" = $5
  and "cluster" = $6
  and "service" = $7
  and "status" in ('queued', 'registering', 'updating', 'in_progress', 'rolling_back');

-- db/model-spend.ts deleteReservation
delete from "model_reservation"
  where "workspace_id" = $1
  and "user_id" = $2
  and "id" = $3;

-- db/model-spend.ts insertModelCall
with "used" as (insert into "agent_usage" ("cache_read_tokens", "cache_write_tokens", "cost_usd_micros", "estimated", "id", "input_tokens", "model", "output_tokens", "provider_request_id", "workspace_id", "user_id", "session_id", "run_id", "generation_id", "purpose")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict do nothing
  returning "cost_usd_micros") update "agent_session"
  set "spent_usd_micros" = "spent_usd_micros" + "used"."cost_usd_micros"
  from "used"
  where "agent_session"."workspace_id" = $16
  and "agent_session"."id" = $17;

-- db/model-spend.ts listSpentToday
select "user_id", coalesce(sum("cost_usd_micros"), 0)::bigint as "spent"
  from "agent_usage"
  where "workspace_id" = $1
  and "user_id" = any($2)
  and "created_at" >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
  group by "user_id";

-- db/model-spend.ts reserveSpend
begin;
select pg_advisory_xact_lock(hashtextextended($1, 0));
delete from "model_reservation"
  where "workspace_id" = $1
  and "user_id" = $2
  and "expires_at" < statement_timestamp();
select coalesce(sum("micros"), 0)::bigint as "micros"
  from "model_reservation"
  where "workspace_id" = $1
  and "user_id" = $2;
rollback;
select coalesce(sum("cost_usd_micros"), 0)::bigint as "spent"
  from "agent_usage"
  where "workspace_id" = $1
  and "user_id" = $2
  and "created_at" >= date_trunc('day', now() at time zone 'utc') at time zone 'utc';
delete from "model_reservation"
  where "workspace_id" = $1
  and "expires_at" < statement_timestamp();
select coalesce(sum("micros"), 0)::bigint as "micros"
  from "model_reservation"
  where "workspace_id" = $1;
select coalesce(sum("day"."spent"), 0)::bigint as "spent"
  from "account_user" as "person"
  inner join lateral (select coalesce(sum("cost_usd_micros"), 0)::bigint as "spent"
  from "agent_usage"
  where "agent_usage"."workspace_id" = $1
  and "agent_usage"."user_id" = "person"."id"
  and "agent_usage"."created_at" >= date_trunc('day', now() at time zone 'utc') at time zone 'utc') as "day" on true
  where "person"."workspace_id" = $2;
commit;

-- db/model-spend.ts spentToday
select coalesce(sum("cost_usd_micros"), 0)::bigint as "spent"
  from "agent_usage"
  where "workspace_id" = $1
  and "user_id" = $2
  and "created_at" >= date_trunc('day', now() at time zone 'utc') at time zone 'utc';

-- db/policies-channel.ts announcePolicies
select pg_notify($1, $2) as "notified";

-- db/primary.ts readTimeline
select steward_timeline() as "timeline";

-- db/primary.ts waitForStandby
select steward_timeline() as timeline, set_config('statement_timeout', '0', true), set_config('synchronous_commit', case when current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then 'on' else current_setting('synchronous_commit') end, true);

-- db/pse/generations.ts dropResults
update "pse_step"
  set "result" = $1
  where "workspace_id" = $2
  and "generation_id" in (select "id"
  from "pse_generation"
  where "workspace_id" = $3
  and "session_id" = $4)
  and "result" is not null;

-- db/pse/generations.ts findGeneration
select "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "pse_generation"
  where "workspace_id" = $1
  and "session_id" = $2
  and "id" = $3;

-- db/pse/generations.ts findProposal
select "proposal"
  from "pse_generation"
  where "workspace_id" = $1
  and "session_id" = $2
  and "status" = $3
  and "proposal" is not null
  order by "id" desc
  limit 1;

-- db/pse/generations.ts findResult
select "result"
  from "pse_step"
  where "workspace_id" = $1
  and "generation_id" in (select "id"
  from "pse_generation"
  where "workspace_id" = $2
  and "session_id" = $3)
  and "fingerprint" = $4
  and "status" = $5
  and "result" is not null
  order by "generation_id" desc
  limit 1;

-- db/pse/generations.ts insertGeneration
insert into "pse_generation" ("base_version", "created_by", "engine", "inputs_seq", "mode", "model", "session_id", "workspace_id", "id", "status", "request", "standards", "estimate", "warnings", "suggestions")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  returning "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";

-- db/pse/generations.ts listGenerations
select "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "pse_generation"
  where "workspace_id" = $1
  and "session_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "pse_generation"
  where "workspace_id" = $1
  and "session_id" = $2
  order by "id" desc
  limit 1;

-- db/pse/generations.ts listSteps
select "generation_id", "key", "ordinal", "status", "attempt", "error", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "model_calls", "cost_usd_micros", "started_at", "finished_at"
  from "pse_step"
  where "workspace_id" = $1
  and "generation_id" in ($2)
  order by "generation_id", "ordinal";

-- db/pse/generations.ts markCancelled
update "pse_generation"
  set "cancel_requested_at" = least("cancel_requested_at", now())
  where "workspace_id" = $1
  and "session_id" = $2
  and "id" = $3
  and "finished_at" is null;
select "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at"
  from "pse_generation"
  where "workspace_id" = $1
  and "session_id" = $2
  and "id" = $3
  for update;

-- db/pse/generations.ts readResults
select "key", "result"
  from "pse_step"
  where "workspace_id" = $1
  and "generation_id" = $2
  and "status" = $3;

-- db/pse/generations.ts secondsOf
select coalesce(extract(epoch
  from statement_timestamp() - started_at), 0)::float8 as "seconds"
  from "pse_generation"
  where "workspace_id" = $1
  and "id" = $2;

-- db/pse/inputs.ts countFeedback
select count(*)::integer as "count"
  from "pse_input"
  where "workspace_id" = $1
  and "session_id" = $2
  and "kind" = $3
  and "superseded_by" is null;

-- db/pse/inputs.ts findInput
select "i"."id", "i"."session_id", "i"."seq", "i"."kind", "i"."label", "i"."source", "i"."trust", "i"."superseded_by", "i"."media_type", "i"."bytes", "i"."chars", "i"."sha256", "i"."truncated", "i"."pages", "i"."created_by", "i"."created_at", (select count(*)::integer
  from pse_chunk c
  where c.workspace_id = $1
  and c.session_id = i.session_id
  and c.input_seq = i.seq) as "chunks", "i"."text"
  from "pse_input" as "i"
  where "i"."workspace_id" = $2
  and "i"."session_id" = $3
  and "i"."id" = $4;

-- db/pse/inputs.ts hasInputOf
select "seq"
  from "pse_input"
  where "workspace_id" = $1
  and "session_id" = $2
  and "kind" = any($3)
  and "superseded_by" is null
  limit 1;

-- db/pse/inputs.ts insertInput
insert into "pse_input" ("bytes", "kind", "label", "media_type", "pages", "sha256", "source_key", "text", "truncated", "trust", "workspace_id", "session_id", "id", "seq", "source", "about", "detail", "chars", "superseded_by", "created_by")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20);
insert into "pse_chunk" ("workspace_id", "session_id", "input_seq", "number", "heading_path", "char_start", "char_end", "sha256", "token_estimate")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
update "pse_input"
  set "superseded_by" = $1
  where "workspace_id" = $2
  and "session_id" = $3
  and "source_key" = $4
  and "superseded_by" is null
  and "seq" < $5
  returning "chars";

-- db/pse/inputs.ts listInputs
select "i"."id", "i"."session_id", "i"."seq", "i"."kind", "i"."label", "i"."source", "i"."trust", "i"."superseded_by", "i"."media_type", "i"."bytes", "i"."chars", "i"."sha256", "i"."truncated", "i"."pages", "i"."created_by", "i"."created_at", (select count(*)::integer
  from pse_chunk c
  where c.workspace_id = $1
  and c.session_id = i.session_id
  and c.input_seq = i.seq) as "chunks"
  from "pse_input" as "i"
  where "i"."workspace_id" = $2
  and "i"."session_id" = $3
  and "i"."seq" > $4
  order by "i"."seq"
  limit 1;

-- db/pse/inputs.ts readMaterial
select "id", "seq", "kind", "label", "media_type", "text", "about", "trust", "detail", "sha256", "source", source ->> 'left_out' as "left_out", coalesce(kind = 'waiver'
  or superseded_by <= $1, false)
  and superseded_by is not null as "superseded"
  from "pse_input"
  where "workspace_id" = $2
  and "session_id" = $3
  and (seq <= $4
  or kind = 'waiver')
  order by "seq";
select "input_seq", "number", "heading_path", "char_start", "char_end", "sha256", "token_estimate"
  from "pse_chunk"
  where "workspace_id" = $1
  and "session_id" = $2
  and "input_seq" <= $3
  order by "input_seq", "number";

-- db/pse/inputs.ts supersedeDecision
update "pse_input"
  set "superseded_by" = $1
  where "workspace_id" = $2
  and "session_id" = $3
  and "id" = $4
  and "kind" = $5
  and "superseded_by" is null
  and "seq" < $6
  returning "chars";

-- db/pse/issues.ts claimIssue
insert into "pse_issue" ("repo_id", "session_id", "task_key", "workspace_id", "mark", "number")
  values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing
  returning "mark";
update "pse_issue"
  set "claimed_at" = statement_timestamp()
  where "workspace_id" = $1
  and "session_id" = $2
  and "repo_id" = $3
  and "task_key" = $4
  and "number" is null
  and "claimed_at" < statement_timestamp() + make_interval(secs => $5)
  returning "mark";

-- db/pse/issues.ts listIssues
select "repo_id", "task_key", "number"
  from "pse_issue"
  where "workspace_id" = $1
  and "session_id" = $2
  and "repo_id" = $3
  order by "repo_id", "number";
select "repo_id", "task_key", "number"
  from "pse_issue"
  where "workspace_id" = $1
  and "session_id" = $2
  order by "repo_id", "number";

-- db/pse/issues.ts releaseIssue
delete from "pse_issue"
  where "workspace_id" = $1
  and "session_id" = $2
  and "repo_id" = $3
  and "task_key" = $4
  and "number" is null;

-- db/pse/issues.ts settleIssue
update "pse_issue"
  set "number" = $1
  where "workspace_id" = $2
  and "session_id" = $3
  and "repo_id" = $4
  and "task_key" = $5;

-- db/pse/progress.ts appendToSession
update "pse_session"
  set "event_seq" = "event_seq" + $1::bigint
  where "workspace_id" = $2
  and "id" = $3
  returning "event_seq";
insert into stream_event (workspace_id, stream_id, position, event, data) select $1::uuid, e.*
  from unnest($2::uuid[], $3::bigint[], $4::text[], $5::json[]) as e
  on conflict do nothing;

-- db/pse/progress.ts generationLeases.claim
update "pse_generation"
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2), attempts = attempts + case when lease_owner is null then 0 else 1 end
  where workspace_id = $3
  and id = $4
  and ("status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  and ( ($5::boolean
  and lease_owner is null)
  or ($6::boolean
  and lease_until < statement_timestamp()
  and not id = any($7::uuid[]))))
  returning "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";

-- db/pse/progress.ts generationLeases.findClaimable
select coalesce((select json_agg(due)
  from (select workspace_id, id
  from ( select workspace_id, id, "created_at" as since, row_number() over (partition by workspace_id
  order by "created_at") as turn
  from "pse_generation"
  where ("status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  and ( ($1::boolean
  and lease_owner is null)
  or ($2::boolean
  and lease_until < statement_timestamp()
  and not id = any($3::uuid[]))))) as waiting
  order by turn, since
  limit $4) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "pse_generation"
  where "status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  and lease_until >= now()
  and not id = any($5::uuid[])) as lapses_in_ms;
select coalesce((select json_agg(due)
  from (select workspace_id, id
  from ( select workspace_id, id, "created_at" as since, row_number() over (partition by workspace_id
  order by "created_at") as turn
  from "pse_generation"
  where ((("status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  and ( ($1::boolean
  and lease_owner is null)
  or ($2::boolean
  and lease_until < statement_timestamp()
  and not id = any($3::uuid[])))))
  and "workspace_id" = any($4::uuid[]))) as waiting
  order by turn, since
  limit $5) due), '[]') as keys, (select (extract(epoch
  from min(lease_until) - statement_timestamp()) * 1000)::float8
  from "pse_generation"
  where (("status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  and lease_until >= now()
  and not id = any($6::uuid[]))
  and "workspace_id" = any($7::uuid[]))) as lapses_in_ms;

-- db/pse/progress.ts generationLeases.listHeld
select id, lease_epoch, cancel_requested_at is not null as cancel_requested
  from "pse_generation"
  where workspace_id = $1
  and id = any($2::uuid[])
  and lease_owner = $3
  and "status" in ('queued', 'running', 'checking', 'repairing', 'merging');

-- db/pse/progress.ts generationLeases.releaseLease
update "pse_generation"
  set lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1, attempts = 0
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('queued', 'running', 'checking', 'repairing', 'merging');

-- db/pse/progress.ts generationLeases.renew
update "pse_generation"
  set lease_until = statement_timestamp() + make_interval(secs => $1)
  where workspace_id = $2
  and id = any($3::uuid[])
  and lease_owner = $4
  and "status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  returning id, lease_epoch;

-- db/pse/progress.ts writeIn
update "pse_session"
  set "event_seq" = "event_seq" + $1::bigint
  where "workspace_id" = $2
  and "id" = $3
  returning "event_seq";
update "pse_generation"
  set "result_version" = $1, "status" = $2, "suggestions" = $3, "warnings" = $4, "error" = $5, "proposal" = $6, "started_at" = least("started_at", statement_timestamp()), "finished_at" = statement_timestamp(), "lease_owner" = $7, "lease_until" = $8, "lease_epoch" = lease_epoch + 1
  where workspace_id = $9
  and id = $10
  and lease_epoch = $11
  and "status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  returning "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
update "pse_generation"
  set "result_version" = $1, "status" = $2, "suggestions" = $3, "warnings" = $4, "error" = $5, "proposal" = $6, "started_at" = least("started_at", statement_timestamp())
  where workspace_id = $7
  and id = $8
  and lease_epoch = $9
  and "status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  returning "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
update "pse_generation"
  set "started_at" = least("started_at", statement_timestamp())
  where workspace_id = $1
  and id = $2
  and lease_epoch = $3
  and "status" in ('queued', 'running', 'checking', 'repairing', 'merging')
  returning "workspace_id", "id", "session_id", "status", "mode", "engine", "model", "request", "standards", "inputs_seq", "base_version", "result_version", "estimate", "warnings", "suggestions", "error", "cancel_requested_at", "attempts", "lease_owner", "lease_epoch", "created_by", "created_at", "started_at", "finished_at";
insert into stream_event (workspace_id, stream_id, position, event, data) select $1::uuid, e.*
  from unnest($2::uuid[], $3::bigint[], $4::text[], $5::json[]) as e
  on conflict do nothing;
update "pse_step"
  set "status" = $1, "fingerprint" = $2, "result" = $3, "error" = $4, "input_tokens" = "input_tokens" + $5::bigint, "output_tokens" = "output_tokens" + $6::bigint, "cache_read_tokens" = "cache_read_tokens" + $7::bigint, "cache_write_tokens" = "cache_write_tokens" + $8::bigint, "model_calls" = "model_calls" + $9::bigint, "cost_usd_micros" = "cost_usd_micros" + $10::bigint
  where "workspace_id" = $11
  and "generation_id" = $12
  and "key" = $13;
insert into pse_step (workspace_id, generation_id, key, ordinal, status) select $1::uuid, $2::uuid, $3, count(*), 'pending'
  from pse_step
  where workspace_id = $4
  and generation_id = $5
  on conflict do nothing;
update "pse_step"
  set "status" = $1, "fingerprint" = $2, "result" = $3, "error" = $4, "attempt" = "attempt" + 1, "started_at" = least("started_at", statement_timestamp()), "finished_at" = $5, "input_tokens" = "input_tokens" + $6::bigint, "output_tokens" = "output_tokens" + $7::bigint, "cache_read_tokens" = "cache_read_tokens" + $8::bigint, "cache_write_tokens" = "cache_write_tokens" + $9::bigint, "model_calls" = "model_calls" + $10::bigint, "cost_usd_micros" = "cost_usd_micros" + $11::bigint
  where "workspace_id" = $12
  and "generation_id" = $13
  and "key" = $14;
update "pse_step"
  set "status" = $1, "fingerprint" = $2, "result" = $3, "error" = $4, "finished_at" = statement_timestamp(), "input_tokens" = "input_tokens" + $5::bigint, "output_tokens" = "output_tokens" + $6::bigint, "cache_read_tokens" = "cache_read_tokens" + $7::bigint, "cache_write_tokens" = "cache_write_tokens" + $8::bigint, "model_calls" = "model_calls" + $9::bigint, "cost_usd_micros" = "cost_usd_micros" + $10::bigint
  where "workspace_id" = $11
  and "generation_id" = $12
  and "key" = $13;
update "pse_step"
  set "status" = $1, "result" = $2, "error" = $3, "input_tokens" = "input_tokens" + $4::bigint, "output_tokens" = "output_tokens" + $5::bigint, "cache_read_tokens" = "cache_read_tokens" + $6::bigint, "cache_write_tokens" = "cache_write_tokens" + $7::bigint, "model_calls" = "model_calls" + $8::bigint, "cost_usd_micros" = "cost_usd_micros" + $9::bigint
  where "workspace_id" = $10
  and "generation_id" = $11
  and "key" = $12;

-- db/pse/sessions.ts findSession
select "s"."workspace_id", "s"."id", "s"."project_id", "s"."title", "s"."description", "s"."spec_type", "s"."profile", "s"."notation", "s"."locale", "s"."artifacts", "s"."standards", "s"."options", "s"."stale", "s"."blocking", "s"."current_version", "s"."approved_version", "s"."approved", "s"."archived_at", "s"."next_seq", "s"."input_chars", "s"."event_seq", "s"."revision", "s"."created_by", "s"."created_at", "s"."updated_at", "g"."id" as "active_generation_id", case when s.archived_at is not null then 'archived' when g.id is not null then 'generating' when s.current_version is null then 'open' when s.approved then 'approved' when json_array_length(s.blocking) > 0 then 'needs_input' else 'review' end as "state", (select v.checks->>'verdict'
  from pse_version v
  where v.workspace_id = $1
  and v.session_id = s.id
  and v.version = s.current_version) as "check_verdict"
  from "pse_session" as "s"
  left join "pse_generation" as "g" on "g"."workspace_id" = "s"."workspace_id"
  and "g"."session_id" = "s"."id"
  and g.status in ($2, $3, $4, $5, $6)
  where "s"."workspace_id" = $7
  and "s"."deleted_at" is null
  and "s"."id" = $8;

-- db/pse/sessions.ts findSessionResource
select "project_id"
  from "pse_session"
  where "workspace_id" = $1
  and "id" = $2;

-- db/pse/sessions.ts insertSession
insert into "pse_session" ("description", "locale", "notation", "profile", "project_id", "spec_type", "title", "workspace_id", "id", "artifacts", "standards", "options", "blocking", "created_by")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  returning "id";

-- db/pse/sessions.ts listSessions
select "s"."workspace_id", "s"."id", "s"."project_id", "s"."title", "s"."description", "s"."spec_type", "s"."profile", "s"."notation", "s"."locale", "s"."artifacts", "s"."standards", "s"."options", "s"."stale", "s"."blocking", "s"."current_version", "s"."approved_version", "s"."approved", "s"."archived_at", "s"."next_seq", "s"."input_chars", "s"."event_seq", "s"."revision", "s"."created_by", "s"."created_at", "s"."updated_at", "g"."id" as "active_generation_id", case when s.archived_at is not null then 'archived' when g.id is not null then 'generating' when s.current_version is null then 'open' when s.approved then 'approved' when json_array_length(s.blocking) > 0 then 'needs_input' else 'review' end as "state", (select v.checks->>'verdict'
  from pse_version v
  where v.workspace_id = $1
  and v.session_id = s.id
  and v.version = s.current_version) as "check_verdict"
  from "pse_session" as "s"
  left join "pse_generation" as "g" on "g"."workspace_id" = "s"."workspace_id"
  and "g"."session_id" = "s"."id"
  and g.status in ($2, $3, $4, $5, $6)
  where "s"."workspace_id" = $7
  and "s"."deleted_at" is null
  and case when s.archived_at is not null then 'archived' when g.id is not null then 'generating' when s.current_version is null then 'open' when s.approved then 'approved' when json_array_length(s.blocking) > 0 then 'needs_input' else 'review' end = $8
  and "s"."project_id" = any($9)
  and "s"."project_id" = $10
  and s.spec_type = $11
  and position(lower($12) in lower("s"."title")) > 0
  and "s"."id" < $13
  order by "s"."id" desc
  limit 1;
select "s"."workspace_id", "s"."id", "s"."project_id", "s"."title", "s"."description", "s"."spec_type", "s"."profile", "s"."notation", "s"."locale", "s"."artifacts", "s"."standards", "s"."options", "s"."stale", "s"."blocking", "s"."current_version", "s"."approved_version", "s"."approved", "s"."archived_at", "s"."next_seq", "s"."input_chars", "s"."event_seq", "s"."revision", "s"."created_by", "s"."created_at", "s"."updated_at", "g"."id" as "active_generation_id", case when s.archived_at is not null then 'archived' when g.id is not null then 'generating' when s.current_version is null then 'open' when s.approved then 'approved' when json_array_length(s.blocking) > 0 then 'needs_input' else 'review' end as "state", (select v.checks->>'verdict'
  from pse_version v
  where v.workspace_id = $1
  and v.session_id = s.id
  and v.version = s.current_version) as "check_verdict"
  from "pse_session" as "s"
  left join "pse_generation" as "g" on "g"."workspace_id" = "s"."workspace_id"
  and "g"."session_id" = "s"."id"
  and g.status in ($2, $3, $4, $5, $6)
  where "s"."workspace_id" = $7
  and "s"."deleted_at" is null
  and s.archived_at is null
  order by "s"."id" desc
  limit 1;

-- db/pse/sessions.ts lockDeletedSession
select "id", "created_by"
  from "pse_session"
  where "workspace_id" = $1
  and "id" = $2
  and deleted_at > now() - interval '30 days'
  for update;

-- db/pse/sessions.ts lockSession
select "id"
  from "pse_session"
  where "workspace_id" = $1
  and "id" = $2
  and "deleted_at" is null
  for update;
select "s"."workspace_id", "s"."id", "s"."project_id", "s"."title", "s"."description", "s"."spec_type", "s"."profile", "s"."notation", "s"."locale", "s"."artifacts", "s"."standards", "s"."options", "s"."stale", "s"."blocking", "s"."current_version", "s"."approved_version", "s"."approved", "s"."archived_at", "s"."next_seq", "s"."input_chars", "s"."event_seq", "s"."revision", "s"."created_by", "s"."created_at", "s"."updated_at", "g"."id" as "active_generation_id", case when s.archived_at is not null then 'archived' when g.id is not null then 'generating' when s.current_version is null then 'open' when s.approved then 'approved' when json_array_length(s.blocking) > 0 then 'needs_input' else 'review' end as "state", (select v.checks->>'verdict'
  from pse_version v
  where v.workspace_id = $1
  and v.session_id = s.id
  and v.version = s.current_version) as "check_verdict"
  from "pse_session" as "s"
  left join "pse_generation" as "g" on "g"."workspace_id" = "s"."workspace_id"
  and "g"."session_id" = "s"."id"
  and g.status in ($2, $3, $4, $5, $6)
  where "s"."workspace_id" = $7
  and "s"."deleted_at" is null
  and "s"."id" = $8;

-- db/pse/sessions.ts purgeSessions
select "workspace_id", "id"
  from "pse_session"
  where deleted_at <= now() - interval '30 days'
  limit 1;
with gone as (delete from pse_session
  where workspace_id = $1
  and id = any($2::uuid[])
  and not deleted_at > now() - interval '30 days'
  returning id), events as (delete from stream_event e using gone
  where e.workspace_id = $3
  and e.stream_id = gone.id) select id
  from gone;
select "workspace_id", "id"
  from "pse_session"
  where ((deleted_at <= now() - interval '30 days')
  and "workspace_id" = any($1::uuid[]))
  limit 1;

-- db/pse/sessions.ts purgeSessionsOf
with gone as (delete from pse_session
  where workspace_id = $1
  and id in (select id
  from pse_session
  where workspace_id = $2
  and deleted_at < now() - make_interval(days => $3)
  limit $4)
  and deleted_at < now() - make_interval(days => $5)
  returning id), events as (delete from stream_event e using gone
  where e.workspace_id = $6
  and e.stream_id = gone.id) select id
  from gone;

-- db/pse/sessions.ts readTotals
select (select count(*)::integer
  from pse_input
  where workspace_id = $1
  and session_id = $2) inputs, count(distinct g.id)::integer generations, coalesce(sum(s.input_tokens), 0)::bigint input_tokens, coalesce(sum(s.output_tokens), 0)::bigint output_tokens, case when bool_or(s.key is not null
  and s.cost_usd_micros is null) then null else coalesce(sum(s.cost_usd_micros), 0)::bigint end cost_usd_micros
  from pse_generation g
  left join pse_step s on s.workspace_id = g.workspace_id
  and s.generation_id = g.id
  where g.workspace_id = $3
  and g.session_id = $4;

-- db/pse/sessions.ts updateSession
update "pse_session"
  set "approved" = $1, "approved_version" = $2, "archived_at" = $3, "artifacts" = $4, "blocking" = $5, "created_at" = $6, "created_by" = $7, "current_version" = $8, "deleted_at" = $9, "description" = $10, "event_seq" = $11, "input_chars" = $12, "locale" = $13, "next_seq" = $14, "notation" = $15, "options" = $16, "profile" = $17, "project_id" = $18, "spec_type" = $19, "stale" = $20, "standards" = $21, "title" = $22, "revision" = "revision" + 1, "updated_at" = statement_timestamp()
  where "workspace_id" = $23
  and "id" = $24;
update "pse_session"
  set "revision" = "revision" + 1, "updated_at" = statement_timestamp()
  where "workspace_id" = $1
  and "id" = $2;

-- db/pse/standards.ts findStandard
select "s"."id", "s"."key", "s"."version", "s"."revision", "s"."status", "s"."created_by", "s"."created_at", "s"."updated_at"
  from "pse_standard" as "s"
  where "s"."workspace_id" = $1
  and "s"."key" = $2
  order by (s.status = 'archived'), "s"."updated_at" desc
  limit 1;
select "s"."id", "s"."key", "s"."version", "s"."revision", "s"."status", "s"."created_by", "s"."created_at", "s"."updated_at"
  from "pse_standard" as "s"
  where "s"."workspace_id" = $1
  and "s"."id" = $2
  order by (s.status = 'archived'), "s"."updated_at" desc
  limit 1;

-- db/pse/standards.ts findStandardVersion
select "version", "content"
  from "pse_standard_version"
  where "workspace_id" = $1
  and "standard_id" = $2
  and "version" = $3;

-- db/pse/standards.ts insertStandard
insert into "pse_standard" ("workspace_id", "id", "key", "created_by")
  values ($1, $2, $3, $4);
insert into "pse_standard_version" ("workspace_id", "standard_id", "version", "content", "created_by")
  values ($1, $2, $3, $4, $5);

-- db/pse/standards.ts listStandards
select "s"."id", "s"."key", "s"."version", "s"."revision", "s"."status", "s"."created_by", "s"."created_at", "s"."updated_at", v.content::jsonb - 'rules' - 'body_markdown' - 'overrides' as "brief", jsonb_array_length(v.content::jsonb->'rules') as "rule_count"
  from "pse_standard" as "s"
  inner join "pse_standard_version" as "v" on "v"."workspace_id" = "s"."workspace_id"
  and "v"."standard_id" = "s"."id"
  and "v"."version" = "s"."version"
  where "s"."workspace_id" = $1
  and s.status = $2
  and v.content->>'kind' = $3
  and jsonb_exists(v.content::jsonb->'tags', $4)
  and ( jsonb_array_length(v.content::jsonb->'scope'->'project_ids') = 0
  or jsonb_exists(v.content::jsonb->'scope'->'project_ids', $5))
  and "s"."id" < $6
  order by "s"."id" desc
  limit 1;
select "s"."id", "s"."key", "s"."version", "s"."revision", "s"."status", "s"."created_by", "s"."created_at", "s"."updated_at", v.content::jsonb - 'rules' - 'body_markdown' - 'overrides' as "brief", jsonb_array_length(v.content::jsonb->'rules') as "rule_count"
  from "pse_standard" as "s"
  inner join "pse_standard_version" as "v" on "v"."workspace_id" = "s"."workspace_id"
  and "v"."standard_id" = "s"."id"
  and "v"."version" = "s"."version"
  where "s"."workspace_id" = $1
  and s.status <> 'archived'
  order by "s"."id" desc
  limit 1;

-- db/pse/standards.ts lockStandards
select pg_advisory_xact_lock(hashtext('pse_standard'), hashtext($1));

-- db/pse/standards.ts updateStandard
insert into "pse_standard_version" ("workspace_id", "standard_id", "version", "content", "created_by")
  values ($1, $2, $3, $4, $5);
update "pse_standard"
  set "status" = $1, "version" = $2, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $3
  and "id" = $4;

-- db/pse/versions.ts findVersion
select "session_id", "version", "parent_version", "generation_id", "origin", "settled_version", "inputs_seq", "content_hash", "standards", "engine", "requirements", "open_questions", "created_by", "created_at", "document", "checks", "reviews"
  from "pse_version"
  where "workspace_id" = $1
  and "session_id" = $2
  and "version" = $3;

-- db/pse/versions.ts insertVersion
select greatest(approved_version, (select max(v.version)
  from pse_version v
  where v.workspace_id = $1
  and v.session_id = $2
  and v.origin = 'imported')) as "version"
  from "pse_session"
  where "workspace_id" = $3
  and "id" = $4;
insert into "pse_version" ("created_by", "generation_id", "inputs_seq", "origin", "parent_version", "version", "workspace_id", "session_id", "settled_version", "document", "content_hash", "standards", "checks", "engine", "requirements", "open_questions")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- db/pse/versions.ts listVersions
select "session_id", "version", "parent_version", "generation_id", "origin", "settled_version", "inputs_seq", "content_hash", "standards", "engine", "requirements", "open_questions", "created_by", "created_at", checks->>'verdict' as "check_verdict"
  from "pse_version"
  where "workspace_id" = $1
  and "session_id" = $2
  and "version" < $3
  order by "version" desc
  limit 1;
select "session_id", "version", "parent_version", "generation_id", "origin", "settled_version", "inputs_seq", "content_hash", "standards", "engine", "requirements", "open_questions", "created_by", "created_at", checks->>'verdict' as "check_verdict"
  from "pse_version"
  where "workspace_id" = $1
  and "session_id" = $2
  order by "version" desc
  limit 1;

-- db/pse/versions.ts updateChecks
update "pse_version"
  set "checks" = $1, "reviews" = $2
  where "workspace_id" = $3
  and "session_id" = $4
  and "version" = $5;
update "pse_version"
  set "checks" = $1
  where "workspace_id" = $2
  and "session_id" = $3
  and "version" = $4;

-- db/rate-windows.ts addCounts
insert into rate_window as mine (workspace_id, principal, window_start, count) select $1::uuid, *
  from unnest( $2::text[], $3::timestamptz[], $4::integer[])
  on conflict (workspace_id, principal, window_start) do update
  set count = mine.count + excluded.count
  returning principal, window_start, count;

-- db/rate-windows.ts deleteOldWindows
delete from "rate_window"
  where window_start < now() - interval '5 minutes';
delete from "rate_window"
  where ((window_start < now() - interval '5 minutes')
  and "workspace_id" = any($1::uuid[]));

-- db/record/chain.ts appendEntries
insert into audit_entry (workspace_id, seq, id, at, kind, write_id, operation, target, outcome, status, user_id, via, via_id, remote_address, request_id, body, previous, hash, words) select home.workspace_id, e.seq, e.id, e.at, e.kind, e.write_id, e.operation, e.target, e.outcome, e.status, e.user_id, e.via, e.via_id, e.remote_address, e.request_id, e.body, e.previous, e.hash, array_to_tsvector(array(select json_array_elements_text(e.words)))
  from json_to_recordset($1::json) as e(seq bigint, id uuid, at timestamptz, kind text, write_id uuid, operation text, target text, outcome text, status integer, user_id uuid, via text, via_id uuid, remote_address text, request_id text, body json, previous text, hash text, words json), (select id as workspace_id
  from workspace
  where id = $2) as home;
delete from "audit"
  where "workspace_id" = $1
  and "id" in ($2);
update "audit_chain"
  set "seq" = $1, "hash" = $2
  where "workspace_id" = $3;

-- db/record/chain.ts beginChain
insert into "audit_chain" ("workspace_id", "hash")
  values ($1, $2)
  on conflict ("workspace_id") do nothing;

-- db/record/chain.ts findChain
select "seq", "hash", "cut_seq", "checkpoint_seq", "checkpoint_hash"
  from "audit_chain"
  where "workspace_id" = $1;

-- db/record/chain.ts listToNumber
select distinct "workspace_id"
  from "audit"
  where true;
select distinct "workspace_id"
  from "audit"
  where ((true)
  and "workspace_id" = any($1::uuid[]));

-- db/record/chain.ts listToSign
select "workspace_id"
  from "audit_chain"
  where seq > checkpoint_seq
  and checkpoint_at < now() - make_interval(secs => $1);
select "workspace_id"
  from "audit_chain"
  where ((seq > checkpoint_seq
  and checkpoint_at < now() - make_interval(secs => $1))
  and "workspace_id" = any($2::uuid[]));

-- db/record/chain.ts listUnnumbered
select "workspace_id", "id", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", "via_id", "remote_address", "request_id", "body"
  from "audit"
  where "workspace_id" = $1
  order by "id"
  limit 1;

-- db/record/chain.ts lockChain
select "seq", "hash", "cut_seq", "checkpoint_seq", "checkpoint_hash", extract(epoch
  from statement_timestamp() - checkpoint_at)::float8 as "checkpoint_age_s"
  from "audit_chain"
  where "workspace_id" = $1
  for update;

-- db/record/chain.ts noteCheckpoint
update "audit_chain"
  set "checkpoint_seq" = $1, "checkpoint_hash" = $2, "checkpoint_at" = statement_timestamp()
  where "workspace_id" = $3;

-- db/record/checkpoints.ts cutChain
delete from "audit_checkpoint"
  where "workspace_id" = $1
  and "seq" < $2;
update "audit_chain"
  set "cut_seq" = $1
  where "workspace_id" = $2;

-- db/record/checkpoints.ts findCheckpoint
select "workspace_id", "seq", "hash", "at", "previous", "key_id", "public_key", "signature"
  from "audit_checkpoint"
  where "workspace_id" = $1
  and "seq" = $2;

-- db/record/checkpoints.ts findCurrentKey
select "id", "public_key", "secret", "created_at", "retired_at"
  from "audit_key"
  where "workspace_id" = $1
  and "retired_at" is null;

-- db/record/checkpoints.ts findCut
select max("seq") as "seq"
  from "audit_checkpoint"
  where "workspace_id" = $1
  and "at" < now() - make_interval(days => $2);

-- db/record/checkpoints.ts insertCheckpoint
insert into "audit_checkpoint" ("at", "hash", "key_id", "previous", "public_key", "seq", "signature", "workspace_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- db/record/checkpoints.ts insertKey
insert into "audit_key" ("workspace_id", "id", "public_key", "secret")
  values ($1, $2, $3, $4)
  on conflict ("workspace_id")
  where "retired_at" is null do nothing;

-- db/record/checkpoints.ts listCheckpoints
select "workspace_id", "seq", "hash", "at", "previous", "key_id", "public_key", "signature"
  from "audit_checkpoint"
  where "workspace_id" = $1
  and "seq" > $2
  and "seq" <= $3
  order by "seq"
  limit 1;

-- db/record/checkpoints.ts listKeys
select "id", "public_key", "secret", "created_at", "retired_at"
  from "audit_key"
  where "workspace_id" = $1
  order by "id";

-- db/record/checkpoints.ts listUsedKeys
select distinct "key_id", "public_key"
  from "audit_checkpoint"
  where "workspace_id" = $1
  order by "key_id";

-- db/record/checkpoints.ts retireKey
update "audit_key"
  set "retired_at" = now(), "secret" = $1
  where "workspace_id" = $2
  and "id" = $3
  and "retired_at" is null;

-- db/record/destinations.ts countDestinations
select count(*) as "count"
  from "audit_destination"
  where "workspace_id" = $1;

-- db/record/destinations.ts countLetters
select "destination_id", count(*) as "count"
  from "audit_dead_letter"
  where "workspace_id" = $1
  group by "destination_id";

-- db/record/destinations.ts deleteDestination
delete from "audit_destination"
  where "workspace_id" = $1
  and "id" = $2;

-- db/record/destinations.ts deleteLetter
delete from "audit_dead_letter"
  where "workspace_id" = $1
  and "id" = $2;

-- db/record/destinations.ts dueDestinations.claim
with due as (select id, "status" as was
  from "audit_destination"
  where workspace_id = $1
  and id = $2
  and (enabled
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp()))
  for update) update "audit_destination"
  set lease_epoch = "lease_epoch" + 1, lease_until = statement_timestamp() + make_interval(secs => $3)
  from due
  where "audit_destination"."workspace_id" = $4
  and "audit_destination"."id" = due.id
  returning "audit_destination"."workspace_id", "audit_destination"."id", "audit_destination"."name", "audit_destination"."kind", "audit_destination"."url", "audit_destination"."ca", "audit_destination"."sends", "audit_destination"."secret", "audit_destination"."enabled", "audit_destination"."off_reason", "audit_destination"."position", "audit_destination"."checkpoint_position", "audit_destination"."attempts", "audit_destination"."failing_since", "audit_destination"."last_error", "audit_destination"."last_sent_at", "audit_destination"."next_attempt_at", "audit_destination"."lease_epoch", "audit_destination"."revision", "audit_destination"."created_at", "audit_destination"."updated_at", due.*;

-- db/record/destinations.ts dueDestinations.listLate
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "audit_destination"
  where (enabled
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp()))) as waiting
  order by turn, since
  limit $1;
select workspace_id, id
  from ( select workspace_id, id, "next_attempt_at" as since, row_number() over (partition by workspace_id
  order by "next_attempt_at") as turn
  from "audit_destination"
  where (((enabled
  and next_attempt_at <= statement_timestamp()
  and (lease_until is null
  or lease_until < statement_timestamp())))
  and "workspace_id" = any($1::uuid[]))) as waiting
  order by turn, since
  limit $2;

-- db/record/destinations.ts findDestination
select "workspace_id", "id", "name", "kind", "url", "ca", "sends", "secret", "enabled", "off_reason", "position", "checkpoint_position", "attempts", "failing_since", "last_error", "last_sent_at", "next_attempt_at", "lease_epoch", "revision", "created_at", "updated_at"
  from "audit_destination"
  where "workspace_id" = $1
  and "id" = $2;

-- db/record/destinations.ts findLetter
select "id", "destination_id", "what", "from_seq", "to_seq", "error", "created_at"
  from "audit_dead_letter"
  where "workspace_id" = $1
  and "destination_id" = $2
  and "id" = $3;

-- db/record/destinations.ts forgetDestinationSecret
update "audit_destination"
  set "secret" = $1, "enabled" = $2, "off_reason" = $3
  where "workspace_id" = $4
  and "id" = $5;

-- db/record/destinations.ts insertDestination
insert into "audit_destination" ("ca", "checkpoint_position", "id", "kind", "name", "position", "secret", "sends", "url", "workspace_id", "next_attempt_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now());

-- db/record/destinations.ts listDestinations
select "workspace_id", "id", "name", "kind", "url", "ca", "sends", "secret", "enabled", "off_reason", "position", "checkpoint_position", "attempts", "failing_since", "last_error", "last_sent_at", "next_attempt_at", "lease_epoch", "revision", "created_at", "updated_at"
  from "audit_destination"
  where "workspace_id" = $1
  order by "id";

-- db/record/destinations.ts listLetters
select "id", "destination_id", "what", "from_seq", "to_seq", "error", "created_at"
  from "audit_dead_letter"
  where "workspace_id" = $1
  and "destination_id" = $2
  and "id" < $3
  order by "id" desc
  limit 1;
select "id", "destination_id", "what", "from_seq", "to_seq", "error", "created_at"
  from "audit_dead_letter"
  where "workspace_id" = $1
  and "destination_id" = $2
  order by "id" desc
  limit 1;

-- db/record/destinations.ts setAside
begin;
update "audit_destination"
  set "checkpoint_position" = $1, "attempts" = $2, "lease_until" = $3, "next_attempt_at" = statement_timestamp()
  where workspace_id = $4
  and id = $5
  and lease_epoch = $6
  and "status" in ('active');
commit;
update "audit_destination"
  set "position" = $1, "attempts" = $2, "lease_until" = $3, "next_attempt_at" = statement_timestamp()
  where workspace_id = $4
  and id = $5
  and lease_epoch = $6
  and "status" in ('active');
insert into "audit_dead_letter" ("error", "from_seq", "to_seq", "what", "destination_id", "workspace_id", "id")
  values ($1, $2, $3, $4, $5, $6, $7);

-- db/record/destinations.ts settleDelivered
select statement_timestamp() as "now";
update "audit_destination"
  set "checkpoint_position" = $1, "position" = $2, "attempts" = $3, "failing_since" = $4, "last_error" = $5, "lease_until" = $6, "next_attempt_at" = case when exists (select
  from audit_chain c
  where c.workspace_id = $7
  and ( ($8::boolean
  and c.seq > $9)
  or c.checkpoint_seq > $10)) then $11::timestamptz end
  where workspace_id = $12
  and id = $13
  and lease_epoch = $14
  and "status" in ('active')
  returning "next_attempt_at";

-- db/record/destinations.ts settleFailed
update "audit_destination"
  set "attempts" = "attempts" + 1, "failing_since" = least("failing_since", statement_timestamp()), "last_error" = $1, "lease_until" = $2, "next_attempt_at" = statement_timestamp() + make_interval(secs => $3)
  where workspace_id = $4
  and id = $5
  and lease_epoch = $6
  and "status" in ('active');

-- db/record/destinations.ts updateDestination
update "audit_destination"
  set "ca" = $1, "enabled" = $2, "name" = $3, "off_reason" = $4, "secret" = $5, "sends" = $6, "url" = $7, "attempts" = $8, "next_attempt_at" = statement_timestamp(), "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $9
  and "id" = $10;
update "audit_destination"
  set "attempts" = $1, "next_attempt_at" = statement_timestamp(), "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $2
  and "id" = $3;

-- db/record/destinations.ts wakeDestinations
update "audit_destination"
  set "next_attempt_at" = least(next_attempt_at, statement_timestamp())
  where "workspace_id" = $1
  and "enabled" = $2
  and "attempts" = $3
  returning "workspace_id", "id";

-- db/record/entries.ts findEntry
select "workspace_id", "seq", "id", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", "via_id", "remote_address", "request_id", "body", "previous", "hash"
  from "audit_entry"
  where "workspace_id" = $1
  and "id" = $2;

-- db/record/entries.ts listEntries
select "workspace_id", "seq", "id", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", "via_id", "remote_address", "request_id", "body", "previous", "hash"
  from "audit_entry"
  where "workspace_id" = $1
  and "user_id" = $2
  and "operation" = $3
  and "outcome" = $4
  and "kind" = $5
  and "at" >= $6::timestamptz
  and "at" < $7::timestamptz
  and words @@ $8::tsquery
  and "seq" < $9
  order by "seq" desc
  limit 1;
select "workspace_id", "seq", "id", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", "via_id", "remote_address", "request_id", "body", "previous", "hash"
  from "audit_entry"
  where "workspace_id" = $1
  order by "seq" desc
  limit 1;

-- db/record/entries.ts listEntriesAfter
select "workspace_id", "seq", "id", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", "via_id", "remote_address", "request_id", "body", "previous", "hash"
  from "audit_entry"
  where "workspace_id" = $1
  and "user_id" = $2
  and "operation" = $3
  and "outcome" = $4
  and "kind" = $5
  and "at" >= $6::timestamptz
  and "at" < $7::timestamptz
  and words @@ $8::tsquery
  and "seq" > $9
  and "seq" <= $10
  order by "seq"
  limit 1;
select "workspace_id", "seq", "id", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", "via_id", "remote_address", "request_id", "body", "previous", "hash"
  from "audit_entry"
  where "workspace_id" = $1
  and "seq" > $2
  and "seq" <= $3
  order by "seq"
  limit 1;

-- db/record/entries.ts listSteps
select "seq", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", body->'plan'->>'summary' as "summary", body->>'decided_by' as "decided_by", coalesce(body->>'reason', body->>'changes_requested') as "reason"
  from "audit_entry"
  where "workspace_id" = $1
  and write_id = any($2::uuid[])
  order by "seq"
  limit $3;

-- db/record/entries.ts listWrite
select "workspace_id", "seq", "id", "at", "kind", "write_id", "operation", "target", "outcome", "status", "user_id", "via", "via_id", "remote_address", "request_id", "body", "previous", "hash"
  from "audit_entry"
  where "workspace_id" = $1
  and "write_id" = $2
  order by "seq"
  limit $3;

-- db/record/entries.ts listWrites
select "last"."seq", "last"."write_id"
  from "audit_entry" as "last"
  where "last"."workspace_id" = $1
  and "last"."seq" < $2
  and "last"."at" >= $3::timestamptz
  and "last"."at" < $4::timestamptz
  and ("last"."write_id" in (select "write_id"
  from "audit_entry"
  where "workspace_id" = $5
  and "kind" = $6)
  and "last"."write_id" in (select "write_id"
  from "audit_entry"
  where "workspace_id" = $7
  and "operation" = $8)
  and "last"."write_id" in (select "write_id"
  from "audit_entry"
  where "workspace_id" = $9
  and "outcome" = $10)
  and "last"."write_id" in (select "write_id"
  from "audit_entry"
  where "workspace_id" = $11
  and "user_id" = $12)
  and "last"."write_id" in (select "write_id"
  from "audit_entry"
  where "workspace_id" = $13
  and words @@ $14::tsquery))
  and not exists (select "newer"."seq"
  from "audit_entry" as "newer"
  where "newer"."workspace_id" = $15
  and "newer"."write_id" = "last"."write_id"
  and "newer"."seq" > "last"."seq")
  order by "last"."seq" desc
  limit 1;
select "last"."seq", "last"."write_id"
  from "audit_entry" as "last"
  where "last"."workspace_id" = $1
  and 1 = 1
  and not exists (select "newer"."seq"
  from "audit_entry" as "newer"
  where "newer"."workspace_id" = $2
  and "newer"."write_id" = "last"."write_id"
  and "newer"."seq" > "last"."seq")
  order by "last"."seq" desc
  limit 1;

-- db/record/entries.ts removeEntries
delete from "audit_entry"
  where "workspace_id" = $1
  and "seq" in (select "seq"
  from "audit_entry"
  where "workspace_id" = $2
  and "seq" <= $3
  order by "seq"
  limit 1);

-- db/schema-tables.ts emptyWorkspace
select c.relname as name, case when c.relname = 'workspace' then 'id' else (select attname::text
  from pg_attribute a
  where a.attrelid = c.oid
  and a.attname = 'workspace_id'
  and not a.attisdropped) end as by, array(select distinct f.confrelid::regclass::text
  from pg_constraint f
  where f.conrelid = c.oid
  and f.contype = 'f'
  and f.confrelid <> c.oid) as refers_to
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
  and c.relkind = 'r'
  and c.relname not like 'kysely%'
  and not exists (select
  from pg_depend d
  where d.classid = 'pg_class'::regclass
  and d.objid = c.oid
  and d.deptype = 'e')
  order by c.relname;

-- db/schema-tables.ts forgetWorkspace
delete from "workspace"
  where "id" = $1
  and "deleted_at" < now() - interval '5 minutes';

-- db/schema-tables.ts listSettled
select "id"
  from "workspace"
  where deleted_at < now() - interval '5 minutes';
select "id"
  from "workspace"
  where ((deleted_at < now() - interval '5 minutes')
  and "id" = any($1::uuid[]));

-- db/schema-tables.ts listTables
select c.relname as name, case when c.relname = 'workspace' then 'id' else (select attname::text
  from pg_attribute a
  where a.attrelid = c.oid
  and a.attname = 'workspace_id'
  and not a.attisdropped) end as by, array(select distinct f.confrelid::regclass::text
  from pg_constraint f
  where f.conrelid = c.oid
  and f.contype = 'f'
  and f.confrelid <> c.oid) as refers_to
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
  and c.relkind = 'r'
  and c.relname not like 'kysely%'
  and not exists (select
  from pg_depend d
  where d.classid = 'pg_class'::regclass
  and d.objid = c.oid
  and d.deptype = 'e')
  order by c.relname;

-- db/schema-tables.ts markDeleted
update "workspace"
  set "deleted_at" = now(), "hosts" = $1
  where "id" = $2
  and "deleted_at" is null
  and "is_first" = $3;
delete from "account_token"
  where "workspace_id" = $1;
delete from "account_session"
  where "workspace_id" = $1;
delete from "account_link"
  where "workspace_id" = $1;

-- db/statement.ts lockText
select pg_advisory_xact_lock(hashtextextended($1, 0));

-- db/stream-events.ts insertEvents
insert into stream_event (workspace_id, stream_id, position, event, data) select $1::uuid, e.*
  from unnest($2::uuid[], $3::bigint[], $4::text[], $5::json[]) as e
  on conflict do nothing;

-- db/stream-events.ts listEvents
select "position", "event", "data"
  from "stream_event"
  where "workspace_id" = $1
  and "stream_id" = $2
  and "position" > $3
  order by "position"
  limit 1;

-- db/stream-events.ts notifyStream
select pg_notify('steward_streams', $1) as "notified";

-- db/target-claims.ts claimTarget
insert into "target_claim" ("claim", "target", "workspace_id", "claimed_at", "expires_at")
  values ($1, $2, $3, statement_timestamp(), statement_timestamp() + make_interval(secs => $4))
  on conflict ("workspace_id", "target") do update
  set "claim" = "excluded"."claim", "claimed_at" = "excluded"."claimed_at", "expires_at" = "excluded"."expires_at"
  where "target_claim"."expires_at" < "excluded"."claimed_at"
  returning "claim";

-- db/target-claims.ts releaseTarget
delete from "target_claim"
  where "workspace_id" = $1
  and "target" = $2
  and "claim" = $3;

-- db/target-claims.ts renewTarget
update "target_claim"
  set "expires_at" = statement_timestamp() + make_interval(secs => $1)
  where "workspace_id" = $2
  and "target" = $3
  and "claim" = $4
  and expires_at > statement_timestamp();

-- db/toolservers/servers.ts acceptOffered
update "tool_server_tool"
  set "pinned" = offered, "pinned_hash" = offered_hash, "accepted_by" = $1, "accepted_at" = now(), "mode" = case when mode = 'read'
  and pinned_hash is distinct
  from offered_hash then 'ask' else mode end
  where "workspace_id" = $2
  and "server_id" = $3
  and "name" = $4
  and "offered_hash" = $5
  returning "name";

-- db/toolservers/servers.ts countTools
select "server_id", count(*) as "tools", count(*) filter (where pinned_hash is distinct
  from offered_hash) as "waiting"
  from "tool_server_tool"
  where "workspace_id" = $1
  group by "server_id";

-- db/toolservers/servers.ts deleteServer
delete from "tool_server"
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/toolservers/servers.ts findServer
select "workspace_id", "id", "name", "url", "header_names", "headers", "enabled", "left_out", "problem", "looked_at", "revision", "created_at"
  from "tool_server"
  where "workspace_id" = $1
  and "id" = $2;

-- db/toolservers/servers.ts findTool
select "server_id", "name", "mode", "pinned", "pinned_hash", "offered", "offered_hash", "accepted_at"
  from "tool_server_tool"
  where "workspace_id" = $1
  and "server_id" = $2
  and "name" = $3;

-- db/toolservers/servers.ts forgetHeaders
update "tool_server"
  set "headers" = $1, "header_names" = $2, "enabled" = $3
  where "workspace_id" = $4
  and "id" = $5;

-- db/toolservers/servers.ts insertPinned
insert into "tool_server_tool" ("workspace_id", "server_id", "name", "mode", "pinned", "pinned_hash", "offered", "offered_hash", "accepted_by", "accepted_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now());

-- db/toolservers/servers.ts insertServer
insert into "tool_server" ("created_by", "header_names", "headers", "id", "name", "url", "workspace_id", "left_out", "looked_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, now());

-- db/toolservers/servers.ts listAccepted
select "t"."server_id", "t"."name", "t"."mode", "t"."pinned", "t"."pinned_hash", "t"."offered_hash", "s"."name" as "server", "s"."enabled"
  from "tool_server_tool" as "t"
  inner join "tool_server" as "s" on "s"."workspace_id" = "t"."workspace_id"
  and "s"."id" = "t"."server_id"
  where "t"."workspace_id" = $1
  and "s"."workspace_id" = $2
  and "t"."pinned_hash" is not null;

-- db/toolservers/servers.ts listServers
select "workspace_id", "id", "name", "url", "header_names", "headers", "enabled", "left_out", "problem", "looked_at", "revision", "created_at"
  from "tool_server"
  where "workspace_id" = $1
  order by "name";

-- db/toolservers/servers.ts listTools
select "server_id", "name", "mode", "pinned", "pinned_hash", "offered", "offered_hash", "accepted_at"
  from "tool_server_tool"
  where "workspace_id" = $1
  and "server_id" = $2
  order by "name";

-- db/toolservers/servers.ts saveGone
delete from "tool_server_tool"
  where "workspace_id" = $1
  and "server_id" = $2
  and "name" = $3
  and "pinned_hash" is null;
update "tool_server_tool"
  set "offered" = $1, "offered_hash" = $2
  where "workspace_id" = $3
  and "server_id" = $4
  and "name" = $5;

-- db/toolservers/servers.ts saveLook
update "tool_server"
  set "looked_at" = now(), "problem" = $1, "left_out" = $2
  where "workspace_id" = $3
  and "id" = $4;
update "tool_server"
  set "looked_at" = now(), "problem" = $1
  where "workspace_id" = $2
  and "id" = $3;

-- db/toolservers/servers.ts saveOffered
insert into "tool_server_tool" ("workspace_id", "server_id", "name", "mode", "offered", "offered_hash")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("workspace_id", "server_id", "name") do update
  set "offered" = $7, "offered_hash" = $8;

-- db/toolservers/servers.ts setMode
update "tool_server_tool"
  set "mode" = $1
  where "workspace_id" = $2
  and "server_id" = $3
  and "name" = $4;

-- db/toolservers/servers.ts updateServer
update "tool_server"
  set "enabled" = $1, "header_names" = $2, "headers" = $3, "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $4
  and "id" = $5
  returning "id";
update "tool_server"
  set "revision" = "revision" + 1, "updated_at" = now()
  where "workspace_id" = $1
  and "id" = $2
  returning "id";

-- db/unfinished-work.ts dropAmbient
update cloud_account
  set status = 'unverified', secret = null, auth = $1
  where workspace_id = $2
  and auth->>'type' = 'ambient';

-- db/unfinished-work.ts endUnfinished
update "agent_run"
  set status = 'ready', wake_at = now(), attempts = 1000000000, lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1
  where workspace_id = $1
  and "status" in ('ready', 'running', 'awaiting_confirmation');
update "agent_run"
  set status = 'cancelled', reason = 'imported', finished_at = now()
  where workspace_id = $1
  and "status" in ('parked');
update "content_generation"
  set attempts = 1000000000, lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1
  where workspace_id = $1
  and "status" in ('queued', 'running');
update "pse_generation"
  set attempts = 1000000000, lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1
  where workspace_id = $1
  and "status" in ('queued', 'running', 'checking', 'repairing', 'merging');
update "deployment_build"
  set attempts = 1000000000, lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1
  where workspace_id = $1
  and "status" in ('queued', 'running', 'cancelling');
update "service_deployment"
  set status = 'stopped', status_reason = 'imported: it was under way in the other installation', finished_at = now(), lease_until = null, lease_epoch = lease_epoch + 1
  where workspace_id = $1
  and "status" in ('queued');
update "service_deployment"
  set status = 'timed_out', status_reason = 'imported: it was under way in the other installation', finished_at = now(), lease_until = null, lease_epoch = lease_epoch + 1
  where workspace_id = $1
  and "status" in ('registering', 'updating', 'in_progress', 'rolling_back');
update "content_publication"
  set state = 'cancelled', error = 'imported: it was under way in the other installation', next_attempt_at = null, finished_at = now()
  where workspace_id = $1
  and "state" in ('scheduled', 'queued');
update "content_publication"
  set state = 'failed', error = 'imported: it was under way in the other installation', next_attempt_at = null, lease_until = null, lease_epoch = lease_epoch + 1, finished_at = now()
  where workspace_id = $1
  and "state" in ('running', 'retrying', 'unknown', 'awaiting_merge');
update "agent_trigger_firing"
  set status = 'skipped', reason = 'imported'
  where workspace_id = $1
  and "status" in ('queued');
update "codehost_receipt"
  set status = 'ignored', error_code = 'imported', processed_at = now()
  where workspace_id = $1
  and "status" in ('queued');
update agent_confirmation
  set status = 'closed', close_reason = 'imported'
  where workspace_id = $1
  and status = 'pending'
  and run_id in (select id
  from agent_run
  where workspace_id = $2
  and reason = 'imported');
update agent_tool_call
  set status = 'cancelled', is_error = true, finished_at = now(), result_model = 'Cancelled before it was executed.'
  where workspace_id = $1
  and result_model is null
  and run_id in (select id
  from agent_run
  where workspace_id = $2
  and reason = 'imported');
update agent_trigger
  set enabled = false, off_reason = 'imported', revision = revision + 1, updated_at = now()
  where workspace_id = $1
  and enabled;
update audit_destination
  set enabled = false, off_reason = 'imported', lease_until = null, revision = revision + 1, updated_at = now()
  where workspace_id = $1
  and enabled;
update channel
  set enabled = false, off_reason = 'imported', revision = revision + 1, updated_at = now()
  where workspace_id = $1
  and enabled;
update content
  set scheduled_version = null
  where workspace_id = $1
  and scheduled_version is not null;
update codehost_identity
  set lease_until = null
  where workspace_id = $1
  and lease_until is not null;

-- db/unfinished-work.ts findWaitingJobs
select coalesce(array_agg(distinct name) filter (where start_after <= now()), '{}') as due, (extract(epoch
  from min(start_after) filter (where start_after > now()) - now()) * 1000)::float8 as next_ms
  from jobs.job
  where state < 'active'
  and not blocked;

-- db/unfinished-work.ts hasUnfinishedJobs
select exists (select
  from jobs.job
  where state = 'active'
  or (state < 'active'
  and not blocked
  and start_after <= now())) as found;

-- db/ways-in.ts hasCodehostIdentity
select "id"
  from "codehost_identity"
  where "workspace_id" = $1
  and "user_id" = $2
  and "state" <> $3
  limit 1;

-- db/workers.ts findWorkers
select
  from pg_extension
  where extname = 'citus';
