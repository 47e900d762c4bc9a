#!/bin/sh
# For TestDatanodeManager: a script that fails and prints no rack.
exit 1
