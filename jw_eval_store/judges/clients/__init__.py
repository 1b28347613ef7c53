"""Language models that can judge, one client a file. Each loads its library when first used."""
