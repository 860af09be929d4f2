# Shared by backup and restore.
take_lines php site seconds order
