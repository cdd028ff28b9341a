import NIOCore
import NIOPosix

/// Connections of clients that are no clients: they send what a test likes, and read nothing.
enum RawConnection {
    /// A connection that has sent these bytes, or as many as the server took.
    static func open(_ port: Int, sending bytes: ByteBuffer = ByteBuffer()) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: port).get()
        channel.writeAndFlush(bytes, promise: nil)
        return channel
    }
}
