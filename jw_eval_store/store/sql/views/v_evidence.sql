-- purpose: The stored states of the cited pages, and the pages that have none.
-- grain: one row a snapshot; one for a page without any
-- columns:
--   fetch_key: The page: URL without fragment and tracking parameters.
--   current: 1 for the snapshot that verdicts rest on.
--   origin: captured, imported or authored; none: the page has no evidence.
--   scope: excerpt (only what carries the phrases) or page.
--   status: HTTP status.
--   captured_at: When the page was read.
--   reason: Why it was accepted.
--   cases: Cases in force that cite the page.
--   passages: Verses and paragraphs in it.
--   evidence_hash: Content address of its visible text.
--   bytes_hash: Content address of the whole page's bytes.
--   text_hash: Content address of the whole page's text in normal form.
--   structure_hash: Content address of the whole page's structure.
--   url: The URL as it was asked for.
--   live_status: What the newest look at the live page found (see v_drift); none: never looked.
--   live_problem: 1 where that was a problem.
--   checked_at: When it was looked at.
SELECT
    p.fetch_key,
    s.id IS NOT NULL AND s.id = p.current_snapshot_id AS current,
    s.origin,
    s.scope,
    s.status,
    s.captured_at,
    s.reason,
    (
        SELECT count(DISTINCT g.id)
        FROM revision_citation c
        JOIN case_revision r ON r.id = c.revision_id
        JOIN golden_case g ON g.id = r.golden_case_id AND g.current_revision_id = r.id
        WHERE c.page_id = p.id AND g.archived_at IS NULL
    ) AS cases,
    (SELECT json_array_length(v.passages) FROM evidence v WHERE v.id = s.evidence_id) AS passages,
    (SELECT v.content_hash FROM evidence v WHERE v.id = s.evidence_id) AS evidence_hash,
    s.bytes_hash,
    s.text_hash,
    s.structure_hash,
    s.url,
    k.status AS live_status,
    k.problem AS live_problem,
    k.checked_at
FROM page p
LEFT JOIN snapshot s ON s.page_id = p.id
LEFT JOIN page_check k ON k.id = (SELECT max(n.id) FROM page_check n WHERE n.page_id = p.id)
