"""The exercises of notebooks 20, 21 and 32."""
