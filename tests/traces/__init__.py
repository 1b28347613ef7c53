"""What people do with stored judgements: judge again, review, explain, calibrate."""
