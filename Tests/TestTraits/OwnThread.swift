// A build without tests has no such module.
#if canImport(Testing)
package import Testing

/// Lets each test of a suite, or one test, run on a thread of its own, with all that it awaits.
///
/// For tests that block: that turn a loop, wait for a program, or call what waits. Swift's own threads are as many as
/// the machine has processors, so that two tests that block at once would hold up all others of the process.
package struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    /// Whether the calling thread is a test's own.
    package static var isHere: Bool { ThreadExecutor.isHere }

    package let isRecursive = true

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await Self.run(function)
    }

    /// Runs `body` on a thread of its own, which ends with it.
    ///
    /// - Throws: What `body` throws.
    package static func run(_ body: @Sendable @concurrent () async throws -> Void) async rethrows {
        let thread = ThreadExecutor()
        thread.start()
        defer { thread.end() }
        try await withTaskExecutorPreference(thread) { try await body() }
    }
}

extension Trait where Self == OwnThread {
    /// A thread for each test, because it blocks.
    package static var ownThread: Self { OwnThread() }
}
#endif
