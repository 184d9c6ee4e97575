-- Enrich a table of any size: the README.md beside it. For PostgreSQL 13 or newer, with the encoding UTF8.
-- Run it once: psql -f schema.sql. All of it is in a schema of its own; `drop schema lookup cascade` removes it.

create schema lookup;

-- One row. Change it at any time, such as: update lookup.settings set chunk = 200, max_open_claims = 3;
create table lookup.settings (
  one_row boolean primary key default true check (one_row),
  chunk int not null default 500,                  -- leads in a claim, and so in an execution
  max_open_claims int not null default 6,          -- over all workers
  lease interval not null default '15 minutes',    -- longer than the workflow's Timeout
  max_tries int not null default 3,                -- of a lead
  longest_pause interval not null default '30 minutes',
  paused_until timestamptz,                        -- no claims before; 'infinity' waits for you
  failed_claims int not null default 0,            -- in a row: without a single answer, or lost
  lost_claims int not null default 0,              -- of these, the lost ones
  counted_at timestamptz,                          -- when the last of them ended
  answered_at timestamptz,                         -- when the last claim with an answer of the service ended
  resumed_at timestamptz not null default '-infinity'
);
insert into lookup.settings default values;

-- A text with the digits of all scripts, and full-width characters, in ASCII. Each row of digits is named by its 0.
create function lookup.ascii_digits(text text) returns text language sql immutable parallel safe as $$
  select case when text ~ '^[\x01-\x7f]*$' then text else (
    select string_agg(case
        when zero is not null then chr(48 + ascii(c) - zero)
        when ascii(c) between 65281 and 65374 then chr(ascii(c) - 65248)
        else c end, '' order by n)
    from regexp_split_to_table(text, '') with ordinality as written(c, n)
    left join unnest('{1632,1776,1984,2406,2534,2662,2790,2918,3046,3174,3302,3430,3558,3664,3792,3872,4160,4240,6112,6160,
      6470,6608,6784,6800,6992,7088,7232,7248,42528,43216,43264,43472,43504,43600,44016,66720,68912,68928,69734,69872,69942,
      70096,70384,70736,70864,71248,71360,71376,71386,71472,71904,72016,72688,72784,73040,73120,73184,73552,90416,92768,92864,
      93008,93552,118000,120782,120792,120802,120812,120822,123200,123632,124144,124401,125264,130032}'::int[]) as zero
      on ascii(c) between zero and zero + 9) end
$$;

-- Where a text may hold an extension, a word or letters for digits, the number may end at several places.
create function lookup.groups_of_unusual(phone text) returns text[] language sql immutable parallel safe as $$
  with written as (
    select regexp_replace(phone, '^[^0-9]+', '') as text
  ), part as (
    select n, part from written,
      regexp_matches(text, case when text ~ '[A-Za-z\u0400-\u04ff#~,;]|\.00?\D*$' then '[0-9]+|[A-Za-z]' else '.+' end, 'g')
        with ordinality as found(match, n), unnest(match) as part
  ), number as (
    select string_agg(regexp_replace(part, '[^0-9]', '', 'g'), '') over (order by n) as digits,
      string_agg(regexp_replace(translate(lower(part), 'abcdefghijklmnopqrstuvwxyz', '22233344455566677778889999'),
        '[^0-9]', '', 'g'), '') over (order by n) as keys
    from part
  )
  select coalesce(array_agg(distinct right(ending, 4)), '{}') from number, unnest(array[digits, keys]) as ending
  where length(ending) >= 3
$$;

-- The groups that a number may belong to: its last four digits, which equal questions share, however they are spelled. No
-- number of any country is shorter.
create function lookup.phone_groups(phone text) returns text[] language sql immutable parallel safe as $$
  select case when phone ~ '^[\x01-\x2f\x3a-\x7f]*[-+ ()./0-9]*$' and phone !~ '\.00?\s*$'
    then array_remove(array[right(regexp_replace(phone, '[^0-9]', '', 'g'), 4)], '')
    else lookup.groups_of_unusual(lookup.ascii_digits(phone)) end
$$;

-- What a mailto: link says: the address, with its %40 and the like decoded as far as they are ASCII
create function lookup.address_of_link(link text) returns text language sql immutable parallel safe as $$
  select string_agg(case when one ~ '^%[0-7][0-9A-Fa-f]' and one <> '%00'
      then chr(get_byte(decode(substr(one, 2), 'hex'), 0)) else one end, '' order by n)
  from regexp_matches(split_part(regexp_replace(link, '^.*?mailto:', '', 'i'), '?', 1), '%[0-9A-Fa-f]{2}|.', 'g')
    with ordinality as found(match, n), unnest(match) as one
$$;

-- The group that an email address belongs to: a hash of what equal questions share. That is the ASCII letters and digits of the
-- local part and of the domain, where müller.example is xn--mller-kva.example. A capital i or s may be several characters.
create function lookup.email_groups(email text) returns text[] language sql immutable parallel safe as $$
  with given as (
    select case when email ~* '^\W*mailto:' then lookup.address_of_link(email) else email end as text
  ), parts as (
    select regexp_match(case when text ~ '@' then text else translate(text, U&'\FF20\FE6B', '@@') end, '^(.*)@(.*)$') as part
    from given
  ), plain as (
    select lower(regexp_replace(normalize(part[1]), '[^A-Za-z0-9]', '', 'g')) as local,
      case when part[2] !~ '^\s*\[' then regexp_replace(regexp_replace(translate(lower(normalize(part[2], nfkc)), U&'\3002', '.'),
        '(^|\.)xn--(([a-z0-9-]*)-)?[a-z0-9]*', '\1\3', 'g'), '[^a-hj-rt-z0-9]', '', 'g') end as domain
    from parts where part is not null
  )
  select coalesce(array_agg('@' || left(md5(local || '@' || coalesce(domain, '')), 6)), '{}') from plain
$$;

create table lookup.leads (
  id bigint primary key generated by default as identity,
  phone text,
  country text,
  email text,
  groups text[] generated always as (lookup.phone_groups(phone) || lookup.email_groups(email)) stored,
  state text not null default 'open' check (state in ('open', 'claimed', 'done', 'failed')),
  claim uuid,
  tries int not null default 0,                    -- claims it was in
  excused int not null default 0,                  -- of these, where it failed and was not to blame
  crashes int not null default 0,                  -- of these, where no worker ended the claim
  failed_at timestamptz,                           -- first
  outcome text,                                    -- positive, negative, unknown
  reason text,
  result json,                                     -- the item as the node put it out
  answered_at timestamptz
);
create index leads_to_claim on lookup.leads (crashes, tries, (groups[1]), id) where state = 'open';
create index leads_claimed on lookup.leads (claim) where claim is not null;

-- A claimed lead is being asked about: another number would get its answer
create function lookup.refuse_change() returns trigger language plpgsql as $$ begin
  raise exception 'Lead % is claimed. Change it when its claim has ended.', old.id;
end $$;
create trigger keep_question before update of phone, country, email on lookup.leads for each row
  when (old.state = 'claimed' and (old.phone, old.country, old.email) is distinct from (new.phone, new.country, new.email))
  execute function lookup.refuse_change();
create trigger keep_lead before delete on lookup.leads for each row
  when (old.state = 'claimed') execute function lookup.refuse_change();

-- What was paid for: rows of Stored Results, format version 1, with the groups of the leads that asked
create table lookup.answers (
  key text primary key,
  operation text not null,
  outcome text not null,
  "answeredAt" timestamptz not null,
  answer text not null,
  groups text[] not null
);
-- Without fastupdate: each search of an index reads all that is pending, and a claim makes a thousand searches
create index answers_of_groups on lookup.answers using gin (groups) with (fastupdate = off);

create table lookup.claims (
  id uuid primary key,
  execution text,                                  -- of n8n
  taken_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended text,                                      -- finished, stale
  leads int not null,
  answered int,                                    -- by the service
  failed int,
  may_have_been_charged int,                       -- of the failed ones
  lost boolean                                     -- a tenth of its calls, or more, may have been charged without an answer
);
create index claims_open on lookup.claims (taken_at) where ended_at is null;
create index claims_ended on lookup.claims (ended_at);

-- The groups of all open claims. A group is in one at most: two workers never ask equal questions at once.
create table lookup.open_groups (
  name text primary key,
  claim uuid not null references lookup.claims
);

-- Takes the next chunk. Gives no rows where there is nothing to do, enough is under way, or claims are paused.
create function lookup.claim_leads(by_execution text default null)
returns table (claim uuid, id bigint, phone text, country text, email text)
language plpgsql as $$
#variable_conflict use_column
declare
  mine constant uuid := gen_random_uuid();
  settings lookup.settings;
  next_crashes int;
  found_leads int;
begin
  -- One claim at a time. What follows sees all that was committed before: each statement looks anew.
  select * into settings from lookup.settings for update;
  if settings.paused_until > clock_timestamp() then return; end if;
  perform lookup.release_stale_claims();
  select * into settings from lookup.settings;
  if settings.paused_until > clock_timestamp() then return; end if;
  -- After failures one claim goes ahead alone
  if (select count(*) from lookup.claims where ended_at is null)
    >= (case when settings.failed_claims > 0 then 1 else settings.max_open_claims end) then return; end if;
  -- Leads of claims that no worker ended come last, in ever smaller pieces: one of them may be the cause
  select crashes into next_crashes from lookup.leads
    where state = 'open' and not exists (select from lookup.open_groups where name = any(groups) offset 0)
    order by crashes, tries, groups[1], id limit 1;
  with picked as (
    select id from lookup.leads
    -- Offset 0 keeps the planner from joining all leads, where the index gives the next ones in order
    where state = 'open' and crashes = next_crashes
      and not exists (select from lookup.open_groups where name = any(groups) offset 0)
    -- Leads that failed wait until all others had their turn
    order by tries, groups[1], id limit greatest(1, settings.chunk / (10 ^ least(next_crashes, 6))::int)
    for update skip locked
  )
  update lookup.leads as lead set state = 'claimed', claim = mine, tries = tries + 1
  from picked where lead.id = picked.id;
  get diagnostics found_leads = row_count;
  if found_leads = 0 then return; end if;
  insert into lookup.claims (id, execution, leads) values (mine, by_execution, found_leads);
  insert into lookup.open_groups (name, claim)
    select distinct name, mine from lookup.leads, unnest(groups) as name where claim = mine;
  return query select mine, lead.id, lead.phone, lead.country, lead.email from lookup.leads as lead
    where lead.claim = mine order by lead.id;
end $$;

-- Frees the leads of claims whose worker is gone. A lead that was there each time is given up.
create function lookup.release_stale_claims() returns void language plpgsql as $$
declare
  settings lookup.settings;
  stale uuid;
begin
  select * into settings from lookup.settings for update;
  for stale in
    update lookup.claims set ended_at = clock_timestamp(), ended = 'stale', failed = leads, may_have_been_charged = leads, lost = true
    where ended_at is null and taken_at < clock_timestamp() - settings.lease
    returning id
  loop
    delete from lookup.open_groups where claim = stale;
    update lookup.leads set crashes = crashes + 1 where claim = stale;
    perform lookup.free_leads(stale, settings.max_tries, 'The claim was never finished.');
    perform lookup.note_end(stale, 0, true);
  end loop;
end $$;

-- Leads that a claim says nothing about: open again, for as many tries as a lead has
create function lookup.free_leads(of_claim uuid, max_tries int, why text) returns void language sql as $$
  update lookup.leads set claim = null, reason = why, failed_at = coalesce(failed_at, clock_timestamp()),
    state = case when tries - excused < max_tries then 'open' else 'failed' end
  where claim = of_claim
$$;

-- The answers that can matter to a claim: those of its groups. The node's Max Age decides which it uses.
create function lookup.known_answers(of_claim uuid)
returns table (key text, operation text, outcome text, "answeredAt" timestamptz, answer text)
language sql stable as $$
  -- Group by group: the index is slow where many are asked for at once
  select distinct on (key) key, operation, outcome, "answeredAt", answer
  from (select distinct name from lookup.leads, unnest(groups) as name where claim = of_claim) as asked,
    lateral (select * from lookup.answers where groups @> array[name] offset 0) as found
  where "answeredAt" > now() - interval '30 days'
$$;

-- JSON of n8n as PostgreSQL takes it: without \u0000 and halves of surrogate pairs
create function lookup.read_json(text text) returns jsonb language sql immutable as $$
  select regexp_replace(text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'gi')::jsonb
$$;

-- The positions of the items that an item of n8n belongs to
create function lookup.items_of(paired jsonb) returns setof int language sql immutable as $$
  select (case jsonb_typeof(one) when 'object' then one ->> 'item' else one #>> '{}' end)::int
  from jsonb_array_elements(case jsonb_typeof(paired) when 'array' then paired else jsonb_build_array(paired) end) as one
  where jsonb_typeof(one) <> 'null'
$$;

-- Keeps what was paid for, whatever became of the claim.
create function lookup.keep_answers(of_claim uuid, lead_ids jsonb, new_answers text) returns int
language plpgsql as $$
declare
  kept int;
begin
  with new as (
    select distinct on (one #>> '{json,key}') one -> 'json' as json, array(
        select distinct name from lookup.items_of(one -> 'pairedItem') as position
        join lookup.leads on id = (lead_ids ->> position)::bigint, unnest(groups) as name
      ) as groups
    from jsonb_array_elements(lookup.read_json(new_answers)) as one
    -- One row that no table could take loses no other
    where octet_length(one #>> '{json,key}') < 2000 and one #>> '{json,operation}' is not null
      and one #>> '{json,outcome}' is not null and one #>> '{json,answeredAt}' is not null and one #>> '{json,answer}' is not null
  )
  insert into lookup.answers as old (key, operation, outcome, "answeredAt", answer, groups)
  select json ->> 'key', json ->> 'operation', json ->> 'outcome', (json ->> 'answeredAt')::timestamptz,
    json ->> 'answer', groups
  from new
  on conflict (key) do update set
    (operation, outcome, "answeredAt", answer) = (select newest.* from (values
        (old.operation, old.outcome, old."answeredAt", old.answer),
        (excluded.operation, excluded.outcome, excluded."answeredAt", excluded.answer)
      ) as newest (operation, outcome, at, answer) order by at desc limit 1),
    groups = array(select distinct unnest(old.groups || excluded.groups));
  get diagnostics kept = row_count;
  return kept;
end $$;

-- What the node has put out, by lead. Items without an outcome or an error are not its own: after an error of the whole node,
-- n8n may pass its input on.
create function lookup.results_of(lead_ids jsonb, items jsonb)
returns table (id bigint, json jsonb, error text, is_free boolean) language sql immutable as $$
  select distinct on (id) (lead_ids ->> position)::bigint as id, json,
    regexp_replace(json ->> 'error', ' \[item \d+\]$', ''), json ->> 'error' ~ 'You weren''t charged\.( \[item \d+\])?$'
  from jsonb_array_elements(items) as one, jsonb_extract_path(one, 'json') as json, lookup.items_of(one -> 'pairedItem') as position
  where json ->> 'error' is not null or json ->> 'outcome' is not null
  order by id
$$;

-- Writes what a claim has brought, in one transaction. Answers are kept in any case. Results count only while the claim is
-- open, so that a worker that comes back late overwrites nothing.
create function lookup.finish_claim(of_claim uuid, lead_ids text, results text, new_answers text)
returns table (delivered int, failed int, kept_answers int, was_late boolean)
language plpgsql as $$
declare
  settings lookup.settings;
  items jsonb := lookup.read_json(results);
  by_service int;
  charged int;
  fruitless boolean;
  most_failed boolean;
begin
  select * into settings from lookup.settings for update;
  begin
    kept_answers := lookup.keep_answers(of_claim, lead_ids::jsonb, new_answers);
  exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
    -- The results are kept all the same
    kept_answers := 0;
    raise warning 'New answers of claim % are not kept: %', of_claim, sqlerrm;
  end;
  was_late := not exists (select from lookup.claims where id = of_claim and ended_at is null);
  if was_late then
    delivered := 0; failed := 0;
    return next; return;
  end if;
  -- A lead without a result may have been charged as well
  select count(*) filter (where item.id is not null and error is null),
    count(*) filter (where item.id is null or error is not null),
    count(*) filter (where error is null and json ->> 'source' = 'service'),
    count(*) filter (where item.id is null or not is_free), 2 * count(*) filter (where is_free) >= count(*)
  into delivered, failed, by_service, charged, most_failed
  from lookup.leads as lead left join lookup.results_of(lead_ids::jsonb, items) as item on item.id = lead.id
  where lead.claim = of_claim;
  fruitless := failed > 0 and by_service + kept_answers = 0;

  with item as (
    select result.*, is_free and case when fruitless
        then coalesce(settings.answered_at < coalesce(lead.failed_at, 'infinity'), true) else most_failed end as is_excused
    from lookup.results_of(lead_ids::jsonb, items) as result join lookup.leads as lead on lead.id = result.id
  )
  update lookup.leads as lead set claim = null,
    -- Asked again is only what certainly cost nothing. Where most failed, the lead is not to blame; where all failed, it is if
    -- it has failed before and the service has answered others since.
    state = case when error is null then 'done'
      when not is_free then 'failed'
      when is_excused or tries - excused < settings.max_tries then 'open' else 'failed' end,
    excused = excused + coalesce(is_excused, false)::int,
    outcome = json ->> 'outcome', reason = coalesce(error, json ->> 'reason'),
    result = case when error is null then json::json end,
    answered_at = case when error is null then clock_timestamp() end,
    failed_at = case when error is null then failed_at else coalesce(failed_at, clock_timestamp()) end
  from item where lead.id = item.id and lead.claim = of_claim;
  perform lookup.free_leads(of_claim, settings.max_tries, 'No result came back.');

  delete from lookup.open_groups where claim = of_claim;
  update lookup.claims as one set ended_at = clock_timestamp(), ended = 'finished', answered = by_service,
    failed = finish_claim.failed, may_have_been_charged = charged, lost = charged > 0 and charged * 10 >= charged + by_service
  where id = of_claim;
  perform lookup.note_end(of_claim, by_service + kept_answers, fruitless);
  return next;
end $$;

-- A claim without a single answer, or a lost one, pauses all claims: for a minute, then two, four … Claims that were under way
-- by then do not count. After three lost ones in a row, or where lost ones are half of the last, somebody has to look.
create function lookup.note_end(of_claim uuid, brought int, fruitless boolean) returns void language plpgsql as $$
#variable_conflict use_column
declare
  settings lookup.settings;
  this lookup.claims;
  many int;
  lost_of_last int;
begin
  select * into settings from lookup.settings for update;
  select * into this from lookup.claims where id = of_claim;
  if brought > 0 then update lookup.settings set answered_at = clock_timestamp(); end if;
  if this.taken_at > coalesce(settings.counted_at, '-infinity') then
    if fruitless or this.lost then
      update lookup.settings set
        failed_claims = failed_claims + 1,
        lost_claims = lost_claims + this.lost::int,
        counted_at = clock_timestamp(),
        paused_until = case when lost_claims + this.lost::int >= 3 then 'infinity'
          else clock_timestamp() + least(longest_pause, interval '1 minute' * 2 ^ least(failed_claims, 10)) end;
    elsif brought > 0 then
      update lookup.settings set failed_claims = 0, lost_claims = 0, paused_until = null;
    end if;
  end if;
  if this.lost then
    -- More than can be open at once, so that it is not one accident
    many := greatest(3, 2 * settings.max_open_claims);
    select count(*) filter (where lost) into lost_of_last from (
      select lost from lookup.claims where ended_at > settings.resumed_at order by ended_at desc limit 2 * many) as last;
    if lost_of_last >= many then update lookup.settings set paused_until = 'infinity'; end if;
  end if;
end $$;

-- After the cause of a pause is gone
create function lookup.resume_claims() returns void language sql as $$
  update lookup.settings set failed_claims = 0, lost_claims = 0, paused_until = null,
    counted_at = clock_timestamp(), resumed_at = clock_timestamp()
$$;

create view lookup.progress as
select lead.*, claim.*, paused_until
from (select count(*) filter (where state = 'done') as done, count(*) filter (where state = 'claimed') as claimed,
    count(*) filter (where state = 'open') as open, count(*) filter (where state = 'failed') as failed from lookup.leads) as lead,
  (select count(*) filter (where ended_at is null) as open_claims, count(*) filter (where ended = 'stale') as stale_claims,
    -- of the claims that ended in the last ten minutes
    (select round(3600 * sum(leads - failed) / extract(epoch from now() - greatest(min(taken_at), now() - interval '10 minutes')))
      from lookup.claims where ended_at > now() - interval '10 minutes') as leads_per_hour from lookup.claims) as claim,
  lookup.settings;
