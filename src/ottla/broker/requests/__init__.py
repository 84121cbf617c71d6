"""The path of every request: context, registry, pipeline, responses that come later."""
