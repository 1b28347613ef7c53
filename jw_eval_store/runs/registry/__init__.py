"""What people do with golden cases: add, list, show, edit, archive, import, export, lint."""
