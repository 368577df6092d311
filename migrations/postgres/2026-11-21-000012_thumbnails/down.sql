-- Their contents count references of pictures, too.
UPDATE blobs SET refs = refs - (SELECT COUNT(*) FROM thumbnails WHERE thumbnails.blob = blobs.key)
WHERE EXISTS (SELECT 1 FROM thumbnails WHERE thumbnails.blob = blobs.key);
DROP TABLE thumbnail_links;
DROP TABLE thumbnails;
DELETE FROM blobs WHERE refs <= 0;
