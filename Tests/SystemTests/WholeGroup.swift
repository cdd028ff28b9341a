import Testing

/// Tests that run the executables; one after the other, because each needs the machine for itself.
@Suite(.serialized)
enum WholeGroup {}
