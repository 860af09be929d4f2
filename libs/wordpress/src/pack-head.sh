# What packing a site and restoring it have in common.
take_lines php site seconds order
