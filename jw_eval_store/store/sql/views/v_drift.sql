-- purpose: What looks at the cited pages on the live site found, with what each page was before.
-- grain: one row a look at a page
-- columns:
--   fetch_key: The page: URL without fragment and tracking parameters.
--   status: unchanged, cosmetic, text_changed, structure_changed, moved, quote_missing,
--     claim_changed, moved_away, soft_404, gone, blocked, unreachable, not_html, too_large,
--     uncompared.
--   problem: 1 where those who cite the page have a problem.
--   undecided: 1 where nothing could be said.
--   latest: 1 for the newest look at the page.
--   before: The status of the look before.
--   problem_since: When the problem was first seen, if it has lasted since.
--   checked_at: When the page was looked at.
--   check_ulid: The check, shared by all pages that it looked at.
--   http_status: HTTP status; none: no answer.
--   final_url: Where redirects led to.
--   reasons: JSON list of why it has this status.
--   cases: Cases that cited the page then.
--   compared_with: When the snapshot that it was compared with was captured.
SELECT
    p.fetch_key,
    c.status,
    c.problem,
    c.problem = 0
        AND c.status IN ('blocked', 'unreachable', 'not_html', 'too_large', 'uncompared')
        AS undecided,
    c.id = (SELECT max(n.id) FROM page_check n WHERE n.page_id = c.page_id) AS latest,
    (
        SELECT b.status FROM page_check b
        WHERE b.page_id = c.page_id AND b.id < c.id
        ORDER BY b.id DESC LIMIT 1
    ) AS before,
    (
        SELECT min(b.checked_at) FROM page_check b
        WHERE c.problem = 1 AND b.page_id = c.page_id AND b.problem = 1 AND b.id <= c.id
          AND b.id > coalesce((
              SELECT max(w.id) FROM page_check w
              WHERE w.page_id = c.page_id AND w.id < c.id AND w.problem = 0
                AND w.status NOT IN
                    ('blocked', 'unreachable', 'not_html', 'too_large', 'uncompared')
          ), 0)
    ) AS problem_since,
    c.checked_at,
    c.check_ulid,
    c.http_status,
    c.final_url,
    json_extract(c.detail, '$.reasons') AS reasons,
    (
        SELECT count(DISTINCT json_extract(j.value, '$.case_id'))
        FROM json_each(c.detail, '$.citations') j
    ) AS cases,
    s.captured_at AS compared_with
FROM page_check c
JOIN page p ON p.id = c.page_id
LEFT JOIN snapshot s ON s.id = c.snapshot_id
